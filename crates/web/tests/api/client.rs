//! A browser's part, as plainly as it can be: one connection, one cookie.
//!
//! Also the tests of the program use it, which start the server as a process.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

use serde_json::Value;

/// Sends requests to a server and keeps its cookie.
pub(crate) struct Client {
    pub(crate) addr: SocketAddr,
    pub(crate) cookie: Option<String>,
    stream: Option<BufReader<TcpStream>>,
}

/// What came back.
#[derive(Debug, Clone)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// Names in lower case, with values.
    pub(crate) headers: Vec<(String, String)>,
    pub(crate) text: String,
}

impl Answer {
    /// The body as JSON; `null` where it is none.
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.text).unwrap_or(Value::Null)
    }

    /// The code of a refusal.
    pub(crate) fn code(&self) -> String {
        self.json()["error"]["code"]
            .as_str()
            .unwrap_or("")
            .to_owned()
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let found = self.headers.iter().find(|(known, _)| known == name);
        found.map(|(_, value)| value.as_str())
    }
}

impl Client {
    pub(crate) fn new(addr: SocketAddr) -> Client {
        Client {
            addr,
            cookie: None,
            stream: None,
        }
    }

    /// Another connection of the same browser.
    pub(crate) fn twin(&self) -> Client {
        Client {
            cookie: self.cookie.clone(),
            ..Client::new(self.addr)
        }
    }

    pub(crate) fn get(&mut self, path: &str) -> Answer {
        self.send("GET", path, &[], b"")
            .expect("the server answers")
    }

    /// What our page sends.
    pub(crate) fn post(&mut self, path: &str, body: &Value) -> Answer {
        self.try_post(path, body).expect("the server answers")
    }

    pub(crate) fn try_post(&mut self, path: &str, body: &Value) -> io::Result<Answer> {
        let origin = format!("http://{}", self.addr);
        let headers = [
            ("content-type", "application/json"),
            ("origin", origin.as_str()),
            ("sec-fetch-site", "same-origin"),
        ];
        self.send("POST", path, &headers, body.to_string().as_bytes())
    }

    /// Any request; the length of the body is added, the cookie and the host.
    pub(crate) fn send(
        &mut self,
        method: &str,
        path: &str,
        headers: &[(&str, &str)],
        body: &[u8],
    ) -> io::Result<Answer> {
        let mut head = format!("{method} {path} HTTP/1.1\r\nhost: {}\r\n", self.addr);
        for (name, value) in headers {
            head += &format!("{name}: {value}\r\n");
        }
        if let Some(cookie) = &self.cookie {
            head += &format!("cookie: {cookie}\r\n");
        }
        head += &format!("content-length: {}\r\n\r\n", body.len());
        let result = self.exchange(head.as_bytes(), body);
        if result.is_err() {
            self.stream = None;
        }
        let answer = result?;
        if answer.header("connection") == Some("close") {
            self.stream = None;
        }
        if let Some(cookie) = answer.header("set-cookie") {
            self.cookie = cookie.split(';').next().map(str::to_owned);
        }
        Ok(answer)
    }

    fn exchange(&mut self, head: &[u8], body: &[u8]) -> io::Result<Answer> {
        if self.stream.is_none() {
            let stream = TcpStream::connect_timeout(&self.addr, Duration::from_secs(5))?;
            stream.set_nodelay(true)?;
            stream.set_read_timeout(Some(Duration::from_secs(60)))?;
            self.stream = Some(BufReader::new(stream));
        }
        let stream = self.stream.as_mut().expect("a connection was made");
        let mut request = head.to_vec();
        request.extend(body);
        stream.get_mut().write_all(&request)?;
        read_answer(stream)
    }
}

fn read_answer(stream: &mut BufReader<TcpStream>) -> io::Result<Answer> {
    let cut_short = || io::Error::from(io::ErrorKind::UnexpectedEof);
    let mut line = String::new();
    stream.read_line(&mut line)?;
    let status = line.split(' ').nth(1).and_then(|word| word.parse().ok());
    let status: u16 = status.ok_or_else(cut_short)?;
    let mut headers = Vec::new();
    loop {
        line.clear();
        if stream.read_line(&mut line)? == 0 {
            return Err(cut_short());
        }
        let Some((name, value)) = line.trim_end().split_once(':') else {
            break;
        };
        headers.push((name.to_ascii_lowercase(), value.trim().to_owned()));
    }
    let length = headers.iter().find(|(name, _)| name == "content-length");
    let length = length
        .and_then(|(_, value)| value.parse().ok())
        .unwrap_or(0);
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(Answer {
        status,
        headers,
        text: String::from_utf8_lossy(&body).into_owned(),
    })
}
