//! Two lanes side by side: symbolic execution graphs in one, everything else in the other.
//!
//! The session itself coordinates: it hands out rows, has claims checked as they come, and stops a lane whose properties all have a verdict. Lanes share
//! nothing that changes, so that what each of them comes to does not depend on the other.

use std::any::Any;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind, resume_unwind};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::{Builder, Scope};
use std::time::Instant;

use belay_base::Budget;
use belay_evidence::Fact;

use crate::lane::{Done, Lane};
use crate::limits::EngineName;
use crate::schedule::{Row, Work};
use crate::session::{Progress, Session, Wanted};

/// Lanes recurse over calls and over terms.
const STACK_BYTES: usize = 64 << 20;

type Panic = Box<dyn Any + Send>;

/// What a lane is to do.
struct Order {
    row: Row,
    wanted: Wanted,
    fact: Option<Arc<Fact>>,
    budget: Budget,
}

/// What a lane has done.
struct Report {
    lane: usize,
    done: Result<Done, Panic>,
}

/// A lane as the session sees it.
struct Worker {
    orders: Sender<Order>,
    rows: VecDeque<Row>,
    /// What it is at.
    busy: Option<(Row, Wanted, Budget, Instant)>,
}

/// Works off rows in two lanes.
pub(crate) fn work_off<'scope, 'env>(
    session: &mut Session<'_>,
    rows: &[Row],
    scope: &'scope Scope<'scope, 'env>,
    lane: Lane<'scope, 'env>,
    progress: &mut dyn FnMut(Progress<'_>),
) {
    if rows.is_empty() {
        return;
    }
    let (graphs, others): (Vec<Row>, Vec<Row>) = rows.iter().partition(|row| row.engine == EngineName::Graph);
    let (reports, reported) = channel();
    let second = lane.beside(scope);
    let lanes = [(lane, others), (second, graphs)];
    let started = lanes.into_iter().enumerate().filter_map(|(number, (lane, rows))| {
        let (orders, ordered) = channel();
        let reports = reports.clone();
        let work = move || serve(number, lane, &ordered, &reports);
        let thread = Builder::new().name("lane".to_owned()).stack_size(STACK_BYTES).spawn_scoped(scope, work);
        thread.ok().map(|_| Worker { orders, rows: rows.into(), busy: None })
    });
    let mut workers: Vec<Worker> = started.collect();
    drop(reports);
    coordinate(session, &mut workers, &reported, progress);
}

fn serve(lane: usize, mut engines: Lane<'_, '_>, orders: &Receiver<Order>, reports: &Sender<Report>) {
    while let Ok(Order { row, wanted, fact, budget }) = orders.recv() {
        let done = catch_unwind(AssertUnwindSafe(|| engines.perform(&row, &wanted, fact.as_ref(), &budget)));
        if reports.send(Report { lane, done }).is_err() {
            break;
        }
    }
}

fn coordinate(
    session: &mut Session<'_>,
    workers: &mut [Worker],
    reported: &Receiver<Report>,
    progress: &mut dyn FnMut(Progress<'_>),
) {
    loop {
        workers.iter_mut().for_each(|worker| hand_out(session, worker, progress));
        if workers.iter().all(|worker| worker.busy.is_none()) {
            return;
        }
        let Ok(Report { lane, done }) = reported.recv() else { return };
        let Some((row, _, budget, start)) = workers.get_mut(lane).and_then(|worker| worker.busy.take()) else { return };
        match done {
            Ok(done) => session.take(&row, done),
            Err(panic) => {
                workers.iter().for_each(Worker::stop);
                resume_unwind(panic);
            }
        }
        session.note_time(&row, start.elapsed(), &budget);
        for worker in workers.iter() {
            worker.stop_if_settled(session);
        }
    }
}

/// Gives an idle lane its next row; what the checker itself does is done here.
fn hand_out(session: &mut Session<'_>, worker: &mut Worker, progress: &mut dyn FnMut(Progress<'_>)) {
    while worker.busy.is_none()
        && let Some(row) = worker.rows.pop_front()
    {
        let Some(wanted) = session.select_wanted(&row, progress) else { continue };
        if let Work::Execute { steps } = row.work {
            let share = session.share(&row);
            session.read_execution(steps, &share);
            continue;
        }
        let budget = session.share(&row);
        let order = Order { row, wanted: wanted.clone(), fact: session.fact.clone(), budget: budget.slice(u64::MAX) };
        if worker.orders.send(order).is_ok() {
            worker.busy = Some((row, wanted, budget, Instant::now()));
        }
    }
}

impl Worker {
    fn stop(&self) {
        if let Some((_, _, budget, _)) = &self.busy {
            budget.cancel();
        }
    }

    /// Stops the lane if all that it works on has a verdict.
    fn stop_if_settled(&self, session: &Session<'_>) {
        let Some((_, wanted, _, _)) = &self.busy else { return };
        let is_open = |property| session.open.iter().any(|open| open.property == property);
        if !wanted.iter().any(|(property, _)| is_open(*property)) {
            self.stop();
        }
    }
}
