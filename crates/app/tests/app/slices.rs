//! Exports pause often enough to run in slices.

use keyfold_app::export::{all_files, all_files_in_slices, zip, zip_in_slices};
use keyfold_app::picture::PictureOptions;
use keyfold_app::stress;
use keyfold_core::export::FORMATS;
use keyfold_core::slices::Slices;

/// The number of steps of an export.
fn steps<T>(mut slices: Slices<T>) -> (usize, T) {
    let mut steps = 1;
    loop {
        if let Some(result) = slices.step() {
            return (steps, result);
        }
        steps += 1;
    }
}

/// Exports that grow with the number of entities pause more often for larger designs, and give the same files as
/// without slices.
#[test]
fn larger_exports_pause_more_often() {
    let few = stress::design(4);
    let many = stress::design(24);
    for format in FORMATS {
        let [of_few, of_many] = [&few, &many].map(|design| {
            let design = design.clone();
            let files = format.files(&design);
            let (steps, sliced) =
                steps(Slices::new(
                    async move { format.files_in_slices(&design).await },
                ));
            assert_eq!(sliced, files, "{}", format.name);
            let bytes: usize = files.iter().map(|file| file.code.text.len()).sum();
            (steps, bytes)
        });
        let grows = of_many.1 > of_few.1 * 2;
        assert!(
            !grows || of_many.0 > of_few.0 * 2,
            "{}: {} bytes in {} steps, {} bytes in {}",
            format.name,
            of_few.1,
            of_few.0,
            of_many.1,
            of_many.0
        );
    }
}

#[test]
fn exports_in_slices_equal_exports_at_once() {
    let design = stress::design(4);
    let files = all_files(&design, PictureOptions::default(), &mut |_, _| {});
    let sliced = {
        let design = design.clone();
        Slices::new(async move {
            all_files_in_slices(&design, PictureOptions::default(), &mut |_, _| {}).await
        })
    };
    let (count, sliced) = steps(sliced);
    assert_eq!(files, sliced);
    assert!(count > files.len());
    let archive = zip("all", &files);
    let (count, sliced) = steps(Slices::new(
        async move { zip_in_slices("all", &files).await },
    ));
    assert_eq!(archive, sliced);
    assert!(count > 10);
}
