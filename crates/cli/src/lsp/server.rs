//! The messages of an editor, and the answers.

use super::document::Document;
use super::{actions, completion, diagnostics, layout, rename, symbols};
use keyfold_core::model::SortedMap;
use lsp_server::{Connection, ErrorCode, Message, Notification, Request, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionKind, CodeActionOptions, CodeActionProviderCapability, CompletionOptions,
    FoldingRangeProviderCapability, HoverProviderCapability, InitializeResult, OneOf,
    PublishDiagnosticsParams, RenameOptions, ServerCapabilities, ServerInfo,
    TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
};
use serde_json::Value;

/// Answers an editor until it exits or goes away. Returns whether it asked for `shutdown` before.
pub fn run(connection: &Connection) -> bool {
    let mut server = Server {
        connection,
        documents: SortedMap::new(),
        stage: Stage::Fresh,
    };
    server.serve();
    server.stage == Stage::ShutDown
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stage {
    Fresh,
    Running,
    ShutDown,
}

/// Why a request is refused.
type Failure = (ErrorCode, String);

struct Server<'c> {
    connection: &'c Connection,
    /// The open texts, by their addresses.
    documents: SortedMap<String, Document>,
    stage: Stage,
}

impl Server<'_> {
    fn serve(&mut self) {
        loop {
            let waiting = self.connection.receiver.try_recv();
            let message = match waiting {
                Ok(message) => message,
                // Nothing waits: now is the time to lint. Several changes in a row are linted once.
                Err(_) if self.publish() => match self.connection.receiver.recv() {
                    Ok(message) => message,
                    Err(_) => return,
                },
                Err(_) => return,
            };
            match message {
                Message::Request(request) => {
                    let response = self.respond(request);
                    if self.connection.sender.send(response.into()).is_err() {
                        return;
                    }
                }
                Message::Notification(note) if note.method == notification::Exit::METHOD => return,
                Message::Notification(note) if self.stage == Stage::Running => self.notice(note),
                Message::Notification(_) | Message::Response(_) => {}
            }
        }
    }

    fn respond(&mut self, request: Request) -> Response {
        let Request { id, method, params } = request;
        match self.result(&method, params) {
            Ok(result) => Response::new_ok(id, result),
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    fn result(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        match (self.stage, method) {
            (Stage::Fresh, request::Initialize::METHOD) => {
                self.stage = Stage::Running;
                json(capabilities())
            }
            (Stage::Fresh, _) => Err((
                ErrorCode::ServerNotInitialized,
                "`initialize` is the first request".to_owned(),
            )),
            (Stage::ShutDown, _) | (_, request::Initialize::METHOD) => Err((
                ErrorCode::InvalidRequest,
                format!("`{method}` cannot follow here"),
            )),
            (_, request::Shutdown::METHOD) => {
                self.stage = Stage::ShutDown;
                Ok(Value::Null)
            }
            _ => self.answer(method, params),
        }
    }

    /// The answers about open texts.
    fn answer(&mut self, method: &str, params: Value) -> Result<Value, Failure> {
        match method {
            request::Completion::METHOD => {
                let params = read::<request::Completion>(params)?.text_document_position;
                let document = self.document(&params.text_document.uri)?;
                json(completion::complete(document, params.position))
            }
            request::HoverRequest::METHOD => {
                let params = read::<request::HoverRequest>(params)?.text_document_position_params;
                let document = self.document(&params.text_document.uri)?;
                json(document.hover(params.position))
            }
            request::GotoDefinition::METHOD => {
                let params = read::<request::GotoDefinition>(params)?.text_document_position_params;
                let document = self.document(&params.text_document.uri)?;
                json(symbols::definition(document, params.position))
            }
            request::PrepareRenameRequest::METHOD => {
                let params = read::<request::PrepareRenameRequest>(params)?;
                let document = self.document(&params.text_document.uri)?;
                json(rename::prepare(document, params.position))
            }
            request::Rename::METHOD => {
                let params = read::<request::Rename>(params)?;
                let at = params.text_document_position;
                let document = self.document(&at.text_document.uri)?;
                let renamed = rename::rename(document, at.position, params.new_name);
                json(renamed.map_err(|message| (ErrorCode::RequestFailed, message))?)
            }
            request::CodeActionRequest::METHOD => {
                let params = read::<request::CodeActionRequest>(params)?;
                let document = self.document(&params.text_document.uri)?;
                json(actions::actions(document, params.range, &params.context))
            }
            request::Formatting::METHOD => {
                let params = read::<request::Formatting>(params)?;
                json(layout::format(self.document(&params.text_document.uri)?))
            }
            request::DocumentSymbolRequest::METHOD => {
                let params = read::<request::DocumentSymbolRequest>(params)?;
                json(symbols::symbols(self.document(&params.text_document.uri)?))
            }
            request::FoldingRangeRequest::METHOD => {
                let params = read::<request::FoldingRangeRequest>(params)?;
                json(layout::folds(self.document(&params.text_document.uri)?))
            }
            _ => Err((
                ErrorCode::MethodNotFound,
                format!("unknown request `{method}`"),
            )),
        }
    }

    fn document(&mut self, uri: &Uri) -> Result<&mut Document, Failure> {
        self.documents.get_mut(uri.as_str()).ok_or_else(|| {
            let message = format!("{} is not open", uri.as_str());
            (ErrorCode::InvalidParams, message)
        })
    }

    /// Takes a notification. One that cannot be read has no effect: nobody waits for an answer.
    fn notice(&mut self, note: Notification) {
        let Notification { method, params } = note;
        match method.as_str() {
            notification::DidOpenTextDocument::METHOD => {
                if let Some(params) = noticed::<notification::DidOpenTextDocument>(params) {
                    let item = params.text_document;
                    let key = item.uri.as_str().to_owned();
                    let document = Document::open(item.uri, item.version, item.text);
                    self.documents.insert(key, document);
                }
            }
            notification::DidChangeTextDocument::METHOD => {
                if let Some(params) = noticed::<notification::DidChangeTextDocument>(params) {
                    let (at, changes) = (params.text_document, params.content_changes);
                    if let Ok(document) = self.document(&at.uri) {
                        document.change(at.version, changes);
                    }
                }
            }
            notification::DidCloseTextDocument::METHOD => {
                if let Some(params) = noticed::<notification::DidCloseTextDocument>(params) {
                    let uri = params.text_document.uri;
                    if self.documents.remove(uri.as_str()).is_some() {
                        self.send(PublishDiagnosticsParams::new(uri, Vec::new(), None));
                    }
                }
            }
            _ => {}
        }
    }

    /// Publishes the diagnostics of texts that changed. Returns whether the editor is still there.
    fn publish(&mut self) -> bool {
        let mut all = Vec::new();
        for document in self.documents.values_mut().filter(|other| other.is_dirty) {
            document.is_dirty = false;
            let found = diagnostics::diagnostics(document);
            let version = Some(document.version);
            all.push(PublishDiagnosticsParams::new(
                document.uri.clone(),
                found,
                version,
            ));
        }
        all.into_iter().all(|params| self.send(params))
    }

    fn send(&self, params: PublishDiagnosticsParams) -> bool {
        let method = notification::PublishDiagnostics::METHOD.to_owned();
        let note = Notification::new(method, params);
        self.connection.sender.send(note.into()).is_ok()
    }
}

fn read<R: request::Request>(params: Value) -> Result<R::Params, Failure> {
    serde_json::from_value(params).map_err(|error| (ErrorCode::InvalidParams, error.to_string()))
}

fn noticed<N: notification::Notification>(params: Value) -> Option<N::Params> {
    serde_json::from_value(params).ok()
}

fn json(result: impl serde::Serialize) -> Result<Value, Failure> {
    serde_json::to_value(result).map_err(|error| (ErrorCode::InternalError, error.to_string()))
}

fn capabilities() -> InitializeResult {
    let quick_fixes = CodeActionOptions {
        code_action_kinds: Some(vec![CodeActionKind::QUICKFIX]),
        ..CodeActionOptions::default()
    };
    let characters = ["{", ":", " "].map(str::to_owned);
    InitializeResult {
        server_info: Some(ServerInfo {
            name: "keyfold".to_owned(),
            version: Some(env!("CARGO_PKG_VERSION").to_owned()),
        }),
        capabilities: ServerCapabilities {
            text_document_sync: Some(TextDocumentSyncCapability::Kind(
                TextDocumentSyncKind::INCREMENTAL,
            )),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some(characters.into()),
                ..CompletionOptions::default()
            }),
            hover_provider: Some(HoverProviderCapability::Simple(true)),
            definition_provider: Some(OneOf::Left(true)),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: Default::default(),
            })),
            code_action_provider: Some(CodeActionProviderCapability::Options(quick_fixes)),
            document_formatting_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            folding_range_provider: Some(FoldingRangeProviderCapability::Simple(true)),
            ..ServerCapabilities::default()
        },
    }
}
