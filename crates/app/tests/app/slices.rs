//! The exports pause often enough to be made in slices.

use keyfold_app::export::{everything, everything_in_slices, zip, zip_in_slices};
use keyfold_app::picture::Options;
use keyfold_app::stress;
use keyfold_core::export::FORMATS;
use keyfold_core::slices::Slices;

/// How many steps an export takes.
fn steps<T>(mut slices: Slices<T>) -> (usize, T) {
    let mut steps = 1;
    loop {
        if let Some(result) = slices.step() {
            return (steps, result);
        }
        steps += 1;
    }
}

/// What grows with the entities pauses more often with more of them; what is made in slices is what is made at once.
#[test]
fn exports_pause_more_often_the_more_there_is_to_write() {
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
fn all_exports_and_their_archive_are_the_same_in_slices() {
    let design = stress::design(4);
    let files = everything(&design, Options::default(), &mut |_, _| {});
    let sliced = {
        let design = design.clone();
        Slices::new(async move {
            everything_in_slices(&design, Options::default(), &mut |_, _| {}).await
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
