//! Modules side by side that name one another.

use super::tree::{Crate, Edge};
use std::collections::{BTreeMap, BTreeSet};

/// Who names whom among the modules of one folder, with an example of each.
type Neighbours<'a> = BTreeMap<&'a str, BTreeMap<&'a str, &'a Edge>>;

/// One line for each circle of the crate.
pub(super) fn all(house: &Crate) -> Vec<String> {
    let edges = house.edges();
    let mut folders: BTreeMap<&[String], Neighbours> = BTreeMap::new();
    for edge in &edges {
        let common = (edge.from.iter().zip(&edge.to))
            .take_while(|(one, other)| one == other)
            .count();
        if let (Some(from), Some(to)) = (edge.from.get(common), edge.to.get(common)) {
            let neighbours = folders.entry(&edge.from[..common]).or_default();
            neighbours
                .entry(from)
                .or_default()
                .entry(to)
                .or_insert(edge);
        }
    }
    (folders.iter())
        .flat_map(|(folder, neighbours)| of_folder(folder, neighbours))
        .collect()
}

fn of_folder(folder: &[String], neighbours: &Neighbours) -> Vec<String> {
    let mut told: BTreeSet<&str> = BTreeSet::new();
    let mut findings = Vec::new();
    for &module in neighbours.keys() {
        if told.contains(module) {
            continue;
        }
        let within: BTreeSet<&str> = reached(neighbours, module)
            .into_iter()
            .filter(|other| reached(neighbours, other).contains(module))
            .collect();
        if within.is_empty() {
            continue;
        }
        told.extend(&within);
        let place: String = folder.iter().map(|name| format!("::{name}")).collect();
        let names: Vec<&str> = within.iter().copied().collect();
        let mut finding = format!("a circle of {} in crate{place}:", names.join(", "));
        for (from, to, edge) in (within.iter())
            .flat_map(|from| {
                neighbours[from]
                    .iter()
                    .map(move |(to, edge)| (from, to, edge))
            })
            .filter(|(_, to, _)| within.contains(*to))
        {
            let (file, text) = (edge.file.display(), &edge.text);
            finding += &format!("\n  {from} names {to}: {file} has {text}");
        }
        findings.push(finding);
    }
    findings
}

/// The modules to which a way leads from that one; itself only if it lies on a circle.
fn reached<'a>(neighbours: &Neighbours<'a>, from: &str) -> BTreeSet<&'a str> {
    let mut found = BTreeSet::new();
    let mut open: Vec<&str> = vec![from];
    while let Some(module) = open.pop() {
        for &next in neighbours.get(module).into_iter().flat_map(BTreeMap::keys) {
            if found.insert(next) {
                open.push(next);
            }
        }
    }
    found
}
