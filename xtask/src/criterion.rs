//! What criterion leaves on disk, and tables of it.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use anyhow::Context;
use serde::Deserialize;

/// What a bench takes, in nanoseconds for one iteration.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Measured {
    pub(crate) median: f64,
    low: f64,
    high: f64,
    /// Elements that an iteration handles, if the bench says so.
    elements: Option<f64>,
}

#[cfg(test)]
impl Measured {
    /// A time without spread.
    pub(crate) fn exactly(ns: f64) -> Measured {
        Measured {
            median: ns,
            low: ns,
            high: ns,
            elements: None,
        }
    }
}

/// `estimates.json`, as far as it is needed.
#[derive(Deserialize)]
struct Estimates {
    median: Estimate,
}

#[derive(Deserialize)]
struct Estimate {
    point_estimate: f64,
    confidence_interval: Confidence,
}

#[derive(Deserialize)]
struct Confidence {
    lower_bound: f64,
    upper_bound: f64,
}

/// `benchmark.json`, as far as it is needed.
#[derive(Deserialize)]
struct Benchmark {
    full_id: String,
    throughput: Option<serde_json::Value>,
}

/// The results below a folder that was empty before the run.
///
/// *Errors*: a file that is not what criterion writes.
pub(crate) fn collect(folder: &Path) -> anyhow::Result<BTreeMap<String, Measured>> {
    let mut found = BTreeMap::new();
    if folder.exists() {
        collect_into(folder, &mut found)?;
    }
    Ok(found)
}

fn collect_into(folder: &Path, found: &mut BTreeMap<String, Measured>) -> anyhow::Result<()> {
    let entries = fs::read_dir(folder).with_context(|| folder.display().to_string())?;
    for entry in entries {
        let path = entry?.path();
        if !path.is_dir() {
            continue;
        }
        let estimates = path.join("estimates.json");
        if path.ends_with("new") && estimates.exists() {
            let (name, measured) = read(&estimates, &path.join("benchmark.json"))?;
            found.insert(name, measured);
        } else {
            collect_into(&path, found)?;
        }
    }
    Ok(())
}

fn read(estimates: &Path, benchmark: &Path) -> anyhow::Result<(String, Measured)> {
    let text = |path: &Path| {
        fs::read_to_string(path).with_context(|| format!("{} cannot be read", path.display()))
    };
    let median = serde_json::from_str::<Estimates>(&text(estimates)?)
        .with_context(|| estimates.display().to_string())?
        .median;
    let benchmark: Benchmark =
        serde_json::from_str(&text(benchmark)?).with_context(|| benchmark.display().to_string())?;
    let elements = benchmark
        .throughput
        .and_then(|throughput| throughput.get("Elements")?.as_f64());
    let measured = Measured {
        median: median.point_estimate,
        low: median.confidence_interval.lower_bound,
        high: median.confidence_interval.upper_bound,
        elements,
    };
    Ok((benchmark.full_id, measured))
}

/// The results as a table to paste into a page or a message.
pub(crate) fn table(results: &BTreeMap<String, Measured>) -> String {
    let mut text = "| bench | median | 95 % interval | a second |\n|---|---|---|---|\n".to_owned();
    for (name, result) in results {
        let a_second = result.elements.map_or_else(
            || "-".to_owned(),
            |elements| quantity(elements * 1e9 / result.median),
        );
        let _ = writeln!(
            text,
            "| {name} | {} | {} to {} | {a_second} |",
            time(result.median),
            time(result.low),
            time(result.high)
        );
    }
    text
}

/// Nanoseconds in three digits or so, with a unit.
pub(crate) fn time(ns: f64) -> String {
    let (value, unit) = match ns {
        ..1e3 => (ns, "ns"),
        ..1e6 => (ns / 1e3, "µs"),
        ..1e9 => (ns / 1e6, "ms"),
        _ => (ns / 1e9, "s"),
    };
    format!("{value:.2} {unit}")
}

fn quantity(value: f64) -> String {
    match value {
        ..1e3 => format!("{value:.1}"),
        ..1e6 => format!("{:.1} k", value / 1e3),
        ..1e9 => format!("{:.1} M", value / 1e6),
        _ => format!("{:.1} G", value / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn write(folder: &Path, name: &str, text: &str) {
        fs::create_dir_all(folder).expect("a temporary folder");
        fs::write(folder.join(name), text).expect("a temporary file");
    }

    #[test]
    fn results_become_a_table() {
        let temp = tempfile::tempdir().expect("a temporary folder");
        for (at, (name, median)) in [("b/two", 2.5e6), ("a", 120.25)].into_iter().enumerate() {
            let folder = temp.path().join(format!("g{at}/f/new"));
            let estimate = |value: f64| {
                format!(
                    r#"{{"confidence_interval":{{"confidence_level":0.95,"lower_bound":{},"upper_bound":{}}},"point_estimate":{value},"standard_error":1.0}}"#,
                    value * 0.9,
                    value * 1.2
                )
            };
            let both = format!(
                r#"{{"mean":{},"median":{}}}"#,
                estimate(1.0),
                estimate(median)
            );
            write(&folder, "estimates.json", &both);
            let throughput = ["{\"Elements\":1000}", "null"][at];
            let about =
                format!(r#"{{"group_id":"g","full_id":"{name}","throughput":{throughput}}}"#);
            write(&folder, "benchmark.json", &about);
            // What an earlier run left is not of this one.
            write(
                &temp.path().join(format!("g{at}/f/base")),
                "estimates.json",
                "{}",
            );
        }
        let results = collect(temp.path()).expect("it is as criterion writes it");
        assert_eq!(
            table(&results),
            "| bench | median | 95 % interval | a second |\n|---|---|---|---|\n\
             | a | 120.25 ns | 108.23 ns to 144.30 ns | - |\n\
             | b/two | 2.50 ms | 2.25 ms to 3.00 ms | 400.0 k |\n"
        );
        assert!(
            collect(&temp.path().join("none"))
                .expect("nothing")
                .is_empty()
        );
        write(&temp.path().join("g9/new"), "estimates.json", "{");
        assert!(collect(temp.path()).is_err());
    }
}
