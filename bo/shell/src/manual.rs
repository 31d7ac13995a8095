//! Manual: a program's command line as scripts with which shells complete it, and as pages for `man`.
//! The only file that knows clap_complete and clap_mangen.

use crate::files::{self, FileError};
use crate::usage::command;
use clap::{Args, Command, CommandFactory, ValueHint};
use std::fs;
use std::path::PathBuf;

/// Flags of `completions`.
#[derive(Debug, Args)]
pub struct CompletionsArgs {
    /// Shell: bash, elvish, fish, powershell or zsh
    #[arg(value_name = "SHELL", hide_possible_values = true)]
    pub shell: clap_complete::Shell,
}

/// Flags of `man`.
#[derive(Debug, Args)]
pub struct ManArgs {
    /// Folder for the pages, ~/.local/share/man/man1 for one; pages of the same names are replaced
    #[arg(value_name = "DIR", value_hint = ValueHint::DirPath)]
    pub dir: PathBuf,
}

/// The script with which that shell completes the command lines of `Cli`.
pub fn completions<Cli: CommandFactory>(args: &CompletionsArgs) -> String {
    let mut script = Vec::new();
    let mut command = command::<Cli>();
    let name = command.get_name().to_owned();
    clap_complete::generate(args.shell, &mut command, name, &mut script);
    String::from_utf8_lossy(&script).into_owned()
}

/// Writes a page of the program, and one of each command, and says how to read them.
///
/// # Errors
/// [`FileError::Write`].
pub fn man<Cli: CommandFactory>(args: &ManArgs) -> Result<String, FileError> {
    fs::create_dir_all(&args.dir).map_err(FileError::write(&args.dir))?;
    let mut program = command::<Cli>().disable_help_subcommand(true);
    program.build();
    let pages = pages(&program);
    for page in &pages {
        let path = args.dir.join(page.get_filename());
        let mut text = Vec::new();
        let written = page.render(&mut text);
        let written = written.and_then(|()| files::replace(&path, &text));
        written.map_err(FileError::write(&path))?;
    }
    let first = args.dir.join(format!("{}.1", program.get_name()));
    Ok(format!(
        "{} pages in {}; read them with: man {}\n",
        pages.len(),
        args.dir.display(),
        crate::terminal::word(first)
    ))
}

/// The page of a command and those of the commands below it.
fn pages(command: &Command) -> Vec<clap_mangen::Man> {
    let page = clap_mangen::Man::new(command.clone());
    let below = command.get_subcommands().flat_map(pages);
    std::iter::once(page).chain(below).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::Parser;

    #[derive(Debug, Parser)]
    #[command(name = "prog")]
    enum Cli {
        /// Flies once
        Fly {
            /// Decides the wind
            #[arg(long)]
            seed: Option<u64>,
        },
    }

    #[test]
    fn every_command_has_a_page_and_pages_may_be_made_anew() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let dir = folder.path().join("man1");
        for _ in 0..2 {
            let said = man::<Cli>(&ManArgs { dir: dir.clone() }).expect("writable");
            assert!(said.starts_with("2 pages in "), "{said}");
        }
        let page = fs::read_to_string(dir.join("prog-fly.1")).expect("written");
        assert!(
            page.contains(".TH prog-fly 1") && page.contains("Decides the wind"),
            "{page}"
        );
        assert!(dir.join("prog.1").is_file());
    }

    #[test]
    fn a_script_knows_the_commands() {
        let shell = clap_complete::Shell::Bash;
        let script = completions::<Cli>(&CompletionsArgs { shell });
        assert!(
            script.contains("--seed") && script.contains("fly"),
            "{script}"
        );
    }
}
