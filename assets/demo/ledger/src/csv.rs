//! Tables as comma-separated text.

/// Writes rows of cells.
pub fn write(rows: &[Vec<String>]) -> String {
    rows.iter()
        .map(|row| {
            row.iter()
                .map(|cell| quoted(cell))
                .collect::<Vec<_>>()
                .join(",")
                + "\n"
        })
        .collect()
}

/// A cell as it is written: in quotes where it holds a separator.
fn quoted(cell: &str) -> String {
    if cell.contains([',', '\n']) {
        format!("\"{}\"", cell.replace('"', "\"\""))
    } else {
        cell.to_string()
    }
}

/// Reads what [`write`] wrote.
pub fn read(text: &str) -> Vec<Vec<String>> {
    let mut rows = vec![vec![String::new()]];
    let mut in_quotes = false;
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        let row = rows.last_mut().expect("there is always a row");
        let cell = row.last_mut().expect("there is always a cell");
        match c {
            '"' if in_quotes && chars.peek() == Some(&'"') => cell.extend(chars.next()),
            '"' => in_quotes = !in_quotes,
            ',' if !in_quotes => row.push(String::new()),
            '\n' if !in_quotes => rows.push(vec![String::new()]),
            _ => cell.push(c),
        }
    }
    rows.pop();
    rows
}
