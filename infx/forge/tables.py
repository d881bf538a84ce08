"""The tables of the embedded GitHub. Times are ISO 8601 in UTC; columns named `data` hold JSON."""

SCHEMA = """
CREATE TABLE users (
  id INTEGER PRIMARY KEY AUTOINCREMENT, login TEXT UNIQUE COLLATE NOCASE, name TEXT,
  email TEXT COLLATE NOCASE, type TEXT, created_at TEXT);
CREATE INDEX users_email ON users (email);
CREATE TABLE members (org TEXT COLLATE NOCASE, login TEXT COLLATE NOCASE, role TEXT,
  PRIMARY KEY (org, login));
CREATE TABLE repos (
  id INTEGER PRIMARY KEY AUTOINCREMENT, full_name TEXT UNIQUE COLLATE NOCASE, owner TEXT, name TEXT,
  private INT, default_branch TEXT, description TEXT, parent INT, default_permissions TEXT, approval TEXT,
  created_at TEXT, updated_at TEXT, pushed_at TEXT);
CREATE TABLE settings (repo INT, kind TEXT, name TEXT COLLATE NOCASE, value TEXT, created_at TEXT,
  updated_at TEXT, PRIMARY KEY (repo, kind, name));
CREATE TABLE roles (repo INT, login TEXT COLLATE NOCASE, role TEXT, custom TEXT, PRIMARY KEY (repo, login));
CREATE TABLE tokens (
  token TEXT PRIMARY KEY, login TEXT, kind TEXT, repo INT, run INT, job INT, data TEXT, ended INT DEFAULT 0);
CREATE TABLE teams (
  id INTEGER PRIMARY KEY AUTOINCREMENT, org TEXT COLLATE NOCASE, slug TEXT, name TEXT, description TEXT,
  created_at TEXT, UNIQUE (org, slug));
CREATE TABLE team_members (team INT, login TEXT COLLATE NOCASE, role TEXT, PRIMARY KEY (team, login));
CREATE TABLE protection (repo INT, branch TEXT, data TEXT, PRIMARY KEY (repo, branch));
CREATE TABLE documents (
  id INTEGER PRIMARY KEY AUTOINCREMENT, place TEXT COLLATE NOCASE, kind TEXT, name TEXT, data TEXT,
  created_at TEXT, updated_at TEXT, UNIQUE (place, kind, name));
CREATE TABLE refs (repo INT, ref TEXT, sha TEXT, PRIMARY KEY (repo, ref));

CREATE TABLE issues (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, number INT, pull INT, title TEXT, body TEXT, author TEXT,
  state TEXT, state_reason TEXT, draft INT, base_ref TEXT, base_sha TEXT, head_repo INT, head_ref TEXT,
  head_sha TEXT, merge_sha TEXT, mergeable INT, told INT, editor TEXT, edited_at TEXT,
  merged_at TEXT, merged_by TEXT, closed_at TEXT, closed_by TEXT, created_at TEXT,
  updated_at TEXT, milestone INT, locked INT, lock_reason TEXT, UNIQUE (repo, number));
CREATE INDEX issues_head ON issues (head_repo, head_ref, state);
CREATE TABLE labels (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, name TEXT COLLATE NOCASE, color TEXT, description TEXT,
  UNIQUE (repo, name));
CREATE TABLE issue_labels (issue INT, label INT, PRIMARY KEY (issue, label));
CREATE TABLE assignees (issue INT, login TEXT COLLATE NOCASE, PRIMARY KEY (issue, login));
CREATE TABLE reviewers (issue INT, kind TEXT, name TEXT COLLATE NOCASE, PRIMARY KEY (issue, kind, name));
CREATE TABLE milestones (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, number INT, title TEXT, description TEXT, state TEXT,
  author TEXT, due_on TEXT, created_at TEXT, updated_at TEXT, closed_at TEXT, UNIQUE (repo, number));
CREATE TABLE comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, issue INT, author TEXT, body TEXT, editor TEXT,
  edited_at TEXT, created_at TEXT, updated_at TEXT, minimized TEXT);
CREATE INDEX comments_issue ON comments (issue, id);
CREATE INDEX comments_repo ON comments (repo, id);
CREATE TABLE reviews (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, issue INT, author TEXT, body TEXT, state TEXT, sha TEXT,
  submitted_at TEXT, editor TEXT, edited_at TEXT);
CREATE TABLE review_comments (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, issue INT, review INT, author TEXT, body TEXT, path TEXT,
  line INT, side TEXT, start_line INT, start_side TEXT, sha TEXT, reply_to INT, created_at TEXT,
  updated_at TEXT, editor TEXT, edited_at TEXT);
CREATE TABLE reactions (
  id INTEGER PRIMARY KEY AUTOINCREMENT, kind TEXT, subject INT, author TEXT, content TEXT, created_at TEXT,
  UNIQUE (kind, subject, author, content));
CREATE TABLE timeline (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, issue INT, event TEXT, actor TEXT, created_at TEXT,
  data TEXT);
CREATE INDEX timeline_issue ON timeline (issue, id);

CREATE TABLE statuses (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, sha TEXT, context TEXT, state TEXT, description TEXT,
  target_url TEXT, author TEXT, created_at TEXT);
CREATE INDEX statuses_sha ON statuses (repo, sha);
CREATE TABLE checks (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, sha TEXT, name TEXT, status TEXT, conclusion TEXT,
  started_at TEXT, completed_at TEXT, details_url TEXT, external_id TEXT, app TEXT, data TEXT);
CREATE INDEX checks_sha ON checks (repo, sha);

CREATE TABLE workflows (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, path TEXT, name TEXT, state TEXT, created_at TEXT,
  updated_at TEXT, UNIQUE (repo, path));
CREATE TABLE runs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, repository TEXT, workflow TEXT, name TEXT, title TEXT,
  event TEXT, action TEXT, actor TEXT, triggering_actor TEXT, head_branch TEXT, head_sha TEXT, ref TEXT,
  sha TEXT, "group" TEXT, cancel_in_progress INT, attempt INT, number INT, status TEXT, conclusion TEXT,
  pull_requests TEXT, fork INT, created_at TEXT, updated_at TEXT, started_at TEXT);
CREATE INDEX runs_repo ON runs (repo, id);
CREATE INDEX runs_head ON runs (repo, head_sha);
CREATE INDEX runs_status ON runs (repository, status);
CREATE TABLE payloads (run INTEGER PRIMARY KEY, data TEXT);
CREATE TABLE attempts (run INT, attempt INT, data TEXT, PRIMARY KEY (run, attempt));
CREATE TABLE jobs (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, sha TEXT, run INT, attempt INT, name TEXT, labels TEXT,
  status TEXT, conclusion TEXT, runner TEXT, started_at TEXT, completed_at TEXT, steps TEXT, created_at TEXT);
CREATE INDEX jobs_run ON jobs (run, attempt);
CREATE INDEX jobs_sha ON jobs (repo, sha);
CREATE INDEX jobs_status ON jobs (status, runner);
CREATE TABLE artifacts (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, run INT, attempt INT, name TEXT, size INT, digest TEXT,
  final INT, created_at TEXT, updated_at TEXT, expires_at TEXT, UNIQUE (run, attempt, name));
CREATE INDEX artifacts_repo ON artifacts (repo, name);
CREATE TABLE runners (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repo INT, name TEXT, labels TEXT, online INT, hosted INT, env TEXT);
CREATE TABLE deliveries (
  id INTEGER PRIMARY KEY AUTOINCREMENT, repository TEXT, name TEXT, action TEXT, actor TEXT, by_job INT,
  at TEXT, data TEXT);
"""

FIRST_IDS = {
    "users": 1000,
    "repos": 500,
    "teams": 150,
    "issues": 20000,
    "labels": 3000,
    "milestones": 1200,
    "documents": 40,
    "comments": 100000,
    "reviews": 60000,
    "review_comments": 70000,
    "reactions": 80000,
    "timeline": 400000,
    "statuses": 900000,
    "checks": 40000000,
    "workflows": 200,
    "runs": 7000000,
    "jobs": 50000000,
    "artifacts": 6000,
    "runners": 10,
}
"""Each kind counts from its own start, so that an id used for the wrong kind finds nothing."""
