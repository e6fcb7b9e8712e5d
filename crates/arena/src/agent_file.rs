//! What is wrong with a file that an agent plays by.

use core::fmt;

use crate::exact::TableFileError;
use crate::networks::NetworkFileError;

/// Why an agent cannot play by its file.
#[derive(Debug)]
#[non_exhaustive]
pub enum AgentFileError {
    /// The table of the agent `exact`.
    Table(TableFileError),
    /// The network of the agent `ntuple`.
    Network(NetworkFileError),
}

impl fmt::Display for AgentFileError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            AgentFileError::Table(error) => error.fmt(f),
            AgentFileError::Network(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for AgentFileError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            AgentFileError::Table(error) => error.source(),
            AgentFileError::Network(error) => error.source(),
        }
    }
}
