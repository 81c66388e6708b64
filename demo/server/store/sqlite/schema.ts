/** Tables of the first form; `IF NOT EXISTS` makes opening an existing file and a new one the same. */
export const schema = `
CREATE TABLE IF NOT EXISTS users (owner_id TEXT PRIMARY KEY, created_at INTEGER NOT NULL) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS conversations (
  owner_id TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (owner_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS runs (
  run_id TEXT PRIMARY KEY, owner_id TEXT NOT NULL, conversation_id TEXT NOT NULL, assistant_message_id TEXT NOT NULL,
  status TEXT NOT NULL, last_seq INTEGER NOT NULL, model TEXT NOT NULL, mode TEXT NOT NULL,
  enable_thinking INTEGER NOT NULL, current_document_id TEXT, waiting_since INTEGER,
  created_at INTEGER NOT NULL, updated_at INTEGER NOT NULL
);
CREATE INDEX IF NOT EXISTS runs_by_conversation ON runs (owner_id, conversation_id);
CREATE UNIQUE INDEX IF NOT EXISTS one_running_run ON runs (owner_id, conversation_id) WHERE status = 'running';
CREATE TABLE IF NOT EXISTS run_events (
  run_id TEXT NOT NULL, seq INTEGER NOT NULL, event_type TEXT NOT NULL, event_json TEXT NOT NULL,
  created_at INTEGER NOT NULL, PRIMARY KEY (run_id, seq)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS approvals (
  run_id TEXT NOT NULL, approval_id TEXT NOT NULL, tool_call_id TEXT NOT NULL, tool_name TEXT NOT NULL,
  arguments_json TEXT NOT NULL, preview_json TEXT NOT NULL, editable INTEGER NOT NULL, version INTEGER NOT NULL,
  status TEXT NOT NULL, resolved_seq INTEGER, PRIMARY KEY (run_id, approval_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS tool_calls (
  run_id TEXT NOT NULL, tool_call_id TEXT NOT NULL, name TEXT NOT NULL, arguments TEXT NOT NULL,
  attempt INTEGER NOT NULL, status TEXT NOT NULL, hold_until INTEGER, retried_by TEXT,
  PRIMARY KEY (run_id, tool_call_id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS idempotency (
  owner_id TEXT NOT NULL, key TEXT NOT NULL, body_hash TEXT NOT NULL, answer_json TEXT NOT NULL,
  PRIMARY KEY (owner_id, key)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS messages (
  position INTEGER PRIMARY KEY, owner_id TEXT NOT NULL, conversation_id TEXT NOT NULL, run_id TEXT NOT NULL,
  message_id TEXT NOT NULL, role TEXT NOT NULL, content_json TEXT NOT NULL, status TEXT NOT NULL,
  created_at INTEGER NOT NULL, UNIQUE (run_id, message_id)
);
CREATE INDEX IF NOT EXISTS messages_by_conversation ON messages (owner_id, conversation_id);
CREATE TABLE IF NOT EXISTS transcript (
  position INTEGER PRIMARY KEY, run_id TEXT NOT NULL, message_json TEXT NOT NULL
);
CREATE INDEX IF NOT EXISTS transcript_by_run ON transcript (run_id);
CREATE TABLE IF NOT EXISTS documents (
  owner_id TEXT NOT NULL, id TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
  version INTEGER NOT NULL, updated_at INTEGER NOT NULL, PRIMARY KEY (owner_id, id)
) WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS memories (
  position INTEGER PRIMARY KEY, owner_id TEXT NOT NULL, id TEXT NOT NULL, text TEXT NOT NULL,
  created_at INTEGER NOT NULL
);
CREATE TABLE IF NOT EXISTS publications (
  owner_id TEXT NOT NULL, document_id TEXT NOT NULL, title TEXT NOT NULL, content TEXT NOT NULL,
  version INTEGER NOT NULL, published_at INTEGER NOT NULL, PRIMARY KEY (owner_id, document_id)
) WITHOUT ROWID;
`
