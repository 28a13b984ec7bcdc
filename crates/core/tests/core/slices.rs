//! Work in interruptible slices.

use keyfold_core::slices::{Slices, finish, pause};

#[test]
fn each_step_runs_to_the_next_pause() {
    let work = || async {
        let mut sum = 0;
        for number in 1..=3 {
            pause().await;
            sum += number;
        }
        sum
    };
    let mut slices = Slices::new(work());
    let steps: Vec<Option<i32>> = (0..4).map(|_| slices.step()).collect();
    assert_eq!(steps, [None, None, None, Some(6)]);
    assert_eq!(finish(work()), 6);
}
