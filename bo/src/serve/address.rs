//! Address: where a server is, which is always on this machine, and the streams to it.

use shell::{Failure, exit};
use std::fmt;
use std::io::{Read, Result, Write};
use std::net::{SocketAddr, TcpListener, TcpStream};
#[cfg(unix)]
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::PathBuf;
use std::time::Duration;

/// Where a server is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Address {
    /// A socket in the file system.
    #[cfg(unix)]
    Unix(PathBuf),
    /// A port of this machine's own network.
    Loopback(SocketAddr),
}

/// A stream between a server and a client.
#[derive(Debug)]
pub enum Stream {
    /// Through a socket in the file system.
    #[cfg(unix)]
    Unix(UnixStream),
    /// Through a port.
    Tcp(TcpStream),
}

/// What waits for clients. A socket in the file system goes when it does.
#[derive(Debug)]
pub struct Listener {
    /// Where.
    pub address: Address,
    socket: Socket,
}

#[derive(Debug)]
enum Socket {
    #[cfg(unix)]
    Unix(UnixListener),
    Tcp(TcpListener),
}

impl Address {
    /// The address that `given` names: `unix:PATH`, or a port of a loopback address.
    ///
    /// # Errors
    /// An address that is not on this machine, or none.
    pub fn parse(given: &str) -> std::result::Result<Address, Failure> {
        #[cfg(unix)]
        if let Some(path) = given.strip_prefix("unix:").filter(|path| !path.is_empty()) {
            return Ok(Address::Unix(PathBuf::from(path)));
        }
        match given.parse::<SocketAddr>() {
            Ok(address) if address.ip().is_loopback() => Ok(Address::Loopback(address)),
            _ => Err(Failure::usage(format!(
                "{given:?} is no address to serve at; it may be unix:PATH, 127.0.0.1:PORT or [::1]:PORT: only this machine is served, ssh -L carries it further"
            ))),
        }
    }

    /// Listens there.
    ///
    /// # Errors
    /// An address that another server holds, or that cannot be had.
    pub fn listen(&self) -> std::result::Result<Listener, Failure> {
        let listener = match self {
            #[cfg(unix)]
            Address::Unix(path) => self.bind(path).map(Socket::Unix),
            Address::Loopback(address) => TcpListener::bind(address).map(Socket::Tcp),
        };
        let socket = listener.map_err(|source| {
            let line = format!("cannot listen at {self}: {source}");
            Failure::new(line, exit::CANNOT_CREATE)
        })?;
        let address = match &socket {
            // The system may have chosen the port.
            Socket::Tcp(socket) => {
                let bound = socket.local_addr().ok();
                bound.map_or_else(|| self.clone(), Address::Loopback)
            }
            #[cfg(unix)]
            Socket::Unix(_) => self.clone(),
        };
        Ok(Listener { address, socket })
    }

    /// A socket that a server left which is no more is taken away first.
    #[cfg(unix)]
    fn bind(&self, path: &std::path::Path) -> Result<UnixListener> {
        use std::os::unix::fs::{FileTypeExt, PermissionsExt};
        let found = std::fs::symlink_metadata(path);
        let left = found.is_ok_and(|found| found.file_type().is_socket());
        if left && self.connect().is_err() {
            std::fs::remove_file(path)?;
        }
        let socket = UnixListener::bind(path)?;
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o600))?;
        Ok(socket)
    }

    /// A stream to the server there.
    ///
    /// # Errors
    /// What the system said.
    pub fn connect(&self) -> Result<Stream> {
        match self {
            #[cfg(unix)]
            Address::Unix(path) => UnixStream::connect(path).map(Stream::Unix),
            Address::Loopback(address) => {
                let stream = TcpStream::connect(address)?;
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
        }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            #[cfg(unix)]
            Address::Unix(path) => write!(f, "unix:{}", path.display()),
            Address::Loopback(address) => write!(f, "{address}"),
        }
    }
}

impl Listener {
    /// The next client.
    ///
    /// # Errors
    /// What the system said.
    pub fn accept(&self) -> Result<Stream> {
        match &self.socket {
            #[cfg(unix)]
            Socket::Unix(socket) => socket.accept().map(|(stream, _)| Stream::Unix(stream)),
            Socket::Tcp(socket) => {
                let (stream, _) = socket.accept()?;
                stream.set_nodelay(true)?;
                Ok(Stream::Tcp(stream))
            }
        }
    }

    /// Takes a socket out of the file system.
    pub fn remove(&self) {
        #[cfg(unix)]
        if let Address::Unix(path) = &self.address {
            // Whoever comes next takes it away where it cannot go now.
            let _ = std::fs::remove_file(path);
        }
    }
}

impl Stream {
    /// How long a read may wait for the other side.
    ///
    /// # Errors
    /// What the system said.
    pub fn read_within(&self, time: Option<Duration>) -> Result<()> {
        match self {
            #[cfg(unix)]
            Stream::Unix(stream) => stream.set_read_timeout(time),
            Stream::Tcp(stream) => stream.set_read_timeout(time),
        }
    }

    /// How long a write may wait for the other side.
    ///
    /// # Errors
    /// What the system said.
    pub fn write_within(&self, time: Option<Duration>) -> Result<()> {
        match self {
            #[cfg(unix)]
            Stream::Unix(stream) => stream.set_write_timeout(time),
            Stream::Tcp(stream) => stream.set_write_timeout(time),
        }
    }
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        (&mut &*self).read(into)
    }
}

impl Read for &Stream {
    fn read(&mut self, into: &mut [u8]) -> Result<usize> {
        match self {
            #[cfg(unix)]
            Stream::Unix(stream) => (&mut &*stream).read(into),
            Stream::Tcp(stream) => (&mut &*stream).read(into),
        }
    }
}

impl Write for &Stream {
    fn write(&mut self, bytes: &[u8]) -> Result<usize> {
        match self {
            #[cfg(unix)]
            Stream::Unix(stream) => (&mut &*stream).write(bytes),
            Stream::Tcp(stream) => (&mut &*stream).write(bytes),
        }
    }

    fn flush(&mut self) -> Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_is_an_address() {
        for given in ["127.0.0.1:4000", "127.8.9.1:1", "[::1]:0"] {
            assert_eq!(Address::parse(given).expect("loopback").to_string(), given);
        }
        for given in [
            "0.0.0.0:1",
            "192.168.0.1:80",
            "[::]:1",
            "host:1",
            "4000",
            "unix:",
            "",
        ] {
            let refused = Address::parse(given).expect_err(given);
            assert_eq!(refused.exit_code(), 2);
            assert_eq!(refused.to_string().lines().count(), 1);
        }
    }

    #[cfg(unix)]
    #[test]
    fn a_socket_that_is_left_behind_is_taken_and_one_in_use_or_a_file_is_not() {
        let folder = temp_dir::TempDir::new().expect("temporary folder");
        let path = folder.path().join("s");
        let address = Address::parse(&format!("unix:{}", path.display())).expect("a path");
        drop(address.listen().expect("free"));
        assert!(path.exists(), "as a killed server leaves it");
        let listener = address.listen().expect("left behind");
        assert!(address.listen().is_err(), "in use");
        listener.remove();
        std::fs::write(&path, "mine").expect("writable");
        assert!(address.listen().is_err(), "a file");
        assert_eq!(std::fs::read(&path).expect("there"), b"mine");
    }
}
