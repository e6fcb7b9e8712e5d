//! The thread on which agents think, so that nobody waits for them.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;
use std::time::{Duration, Instant};

use afterstate_arena::{Advice, Advisor, AgentSpec, Shared};
use afterstate_rules::Variant;

use crate::event::{Answer, Question};

/// The longest an agent thinks that was given no time: it then answers from
/// what it has seen, as far as it looks ahead at all.
const PATIENCE: Duration = Duration::from_secs(3);

/// The thread that answers questions.
pub(crate) struct Worker {
    questions: Sender<Question>,
    /// The number of the question that counts: all earlier ones are given up.
    latest: Arc<AtomicU64>,
}

impl Worker {
    /// Starts the thread; answers go to `tell`, which says whether anybody
    /// listens.
    ///
    /// *Errors*: no thread can be started.
    pub(crate) fn start(
        variant: Variant,
        spec: AgentSpec,
        shared: Shared,
        tell: impl Fn(Answer) -> bool + Send + 'static,
    ) -> std::io::Result<Worker> {
        let (questions, asked) = mpsc::channel();
        let latest = Arc::new(AtomicU64::new(0));
        let thinker = Thinker {
            variant,
            spec,
            shared,
            latest: Arc::clone(&latest),
            advisor: None,
        };
        thread::Builder::new()
            .name("hints".to_owned())
            .spawn(move || thinker.answer_all(&asked, tell))?;
        Ok(Worker { questions, latest })
    }

    /// Asks. False when the thread has ended, which it does only by a fault.
    pub(crate) fn ask(&self, question: Question) -> bool {
        self.latest.store(question.id, Ordering::Relaxed);
        self.questions.send(question).is_ok()
    }
}

struct Thinker {
    variant: Variant,
    spec: AgentSpec,
    shared: Shared,
    latest: Arc<AtomicU64>,
    advisor: Option<Advisor>,
}

impl Thinker {
    fn answer_all(mut self, asked: &Receiver<Question>, tell: impl Fn(Answer) -> bool) {
        while let Ok(question) = asked.recv() {
            if self.is_late(question.id) {
                continue;
            }
            let advice = self.think(&question);
            if !tell(Answer {
                id: question.id,
                advice,
            }) {
                return;
            }
        }
    }

    fn is_late(&self, id: u64) -> bool {
        self.latest.load(Ordering::Relaxed) != id
    }

    fn think(&mut self, question: &Question) -> Result<Advice, String> {
        let loaded = match self.advisor.take() {
            Some(advisor) => Ok(advisor),
            // Unpacking a network takes a second: not before it is needed.
            None => Advisor::load(&self.shared, self.variant, &self.spec),
        };
        let mut advisor = loaded.map_err(|error| one_line(&error))?;
        let begun = Instant::now();
        let patience = self.spec.time_limit().unwrap_or(PATIENCE);
        let advice = advisor.advise(&question.rows, &mut || {
            self.is_late(question.id) || begun.elapsed() >= patience
        });
        self.advisor = Some(advisor);
        advice.map_err(|error| one_line(&error))
    }
}

/// An error with its causes.
fn one_line(error: &dyn std::error::Error) -> String {
    let mut line = error.to_string();
    let mut source = error.source();
    while let Some(cause) = source {
        line = format!("{line}: {cause}");
        source = cause.source();
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ask_all(agent: &str, questions: &[Question]) -> Vec<Answer> {
        let spec = AgentSpec::parse(agent, Variant::Classic).expect("an agent");
        let (tell, told) = mpsc::channel();
        let worker = Worker::start(Variant::Classic, spec, Shared::default(), move |answer| {
            tell.send(answer).is_ok()
        });
        let worker = worker.expect("a thread starts");
        for question in questions {
            assert!(worker.ask(question.clone()));
        }
        let mut answers = Vec::new();
        loop {
            let answer = told
                .recv_timeout(Duration::from_secs(60))
                .expect("an answer comes");
            let is_last = answer.id == questions.last().map_or(0, |last| last.id);
            answers.push(answer);
            if is_last {
                return answers;
            }
        }
    }

    fn question(id: u64, rows: [[i32; 4]; 4]) -> Question {
        Question {
            id,
            rows: rows.map(Vec::from).to_vec(),
        }
    }

    /// A search of twelve plies takes days; a later question is answered all
    /// the same, within the patience for itself.
    #[test]
    fn a_question_that_is_of_no_interest_any_more_is_given_up() {
        let board = [[2, 4, 2, 4], [0; 4], [0; 4], [2, 0, 0, 0]];
        let other = [[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]];
        let begun = Instant::now();
        let questions = [question(1, board), question(2, other)];
        let answers = ask_all("heuristic:depth=12", &questions);
        let last = answers.last().expect("the last question is answered");
        let advice = last.advice.as_ref().expect("there is advice");
        assert!(advice.slide.is_some());
        // Right, down and left of the only two tiles.
        assert_eq!(
            advice.values.map(|value| value.is_some()),
            [false, true, true, true]
        );
        assert!(begun.elapsed() < 10 * PATIENCE);
    }

    #[test]
    fn an_agent_without_its_file_says_so() {
        let board = [[2, 2, 0, 0], [0; 4], [0; 4], [0; 4]];
        let answers = ask_all("ntuple:file=no-such-file", &[question(1, board)]);
        let why = answers[0].advice.as_ref().expect_err("there is no network");
        assert!(why.starts_with("network no-such-file: "), "{why}");
    }
}
