CREATE TABLE study (
  only INTEGER PRIMARY KEY CHECK (only = 1), study TEXT NOT NULL, "plan" TEXT NOT NULL, text TEXT
) STRICT;
CREATE TABLE session (
  number INTEGER PRIMARY KEY, beganMs REAL NOT NULL, lastMs REAL NOT NULL, machine TEXT NOT NULL, notes TEXT NOT NULL
) STRICT;
CREATE TABLE block (
  serial INTEGER PRIMARY KEY CHECK (serial > 0), session INTEGER NOT NULL REFERENCES session,
  condition TEXT NOT NULL, "index" INTEGER NOT NULL, "order" TEXT NOT NULL, beganMs REAL NOT NULL
) STRICT;
CREATE INDEX blockOfCondition ON block (condition, "index");
CREATE TABLE trial (
  id INTEGER PRIMARY KEY, serial INTEGER NOT NULL REFERENCES block, position INTEGER NOT NULL,
  arm TEXT NOT NULL, evidence TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('ok', 'failed', 'void')), reason TEXT, says TEXT,
  pltMs REAL, ttfbMs REAL, domContentLoadedMs REAL, fcpMs REAL, lcpMs REAL, cls REAL, lastByteMs REAL, quietMs REAL, doneMs REAL, uploadMs REAL, loadedRttMs REAL, tabs INTEGER, ownKbps REAL, besideKbps REAL, fairness REAL, requests INTEGER, connections INTEGER, usedConnections INTEGER, peakInFlight INTEGER, resumedConnections INTEGER, earlyRequests INTEGER, packetsDown INTEGER, packetsUp INTEGER, bytesDown INTEGER, bytesUp INTEGER, payloadBytes INTEGER, overheadPercent REAL, throughputKbps REAL, undigestedObjects INTEGER, retransmittedSegments INTEGER, strayPackets INTEGER, hostDrops INTEGER, coreBusyShare REAL, cpuBound INTEGER CHECK (cpuBound IN (0, 1)), launch INTEGER, overheadMs REAL,
  CHECK (launch IS NOT NULL),
  CHECK (status <> 'ok' OR (pltMs IS NOT NULL AND requests IS NOT NULL AND connections IS NOT NULL AND resumedConnections IS NOT NULL AND earlyRequests IS NOT NULL AND packetsDown IS NOT NULL AND packetsUp IS NOT NULL AND bytesDown IS NOT NULL AND bytesUp IS NOT NULL AND payloadBytes IS NOT NULL AND overheadPercent IS NOT NULL AND throughputKbps IS NOT NULL AND strayPackets IS NOT NULL AND coreBusyShare IS NOT NULL AND cpuBound IS NOT NULL AND launch IS NOT NULL AND overheadMs IS NOT NULL)),
  CHECK ((status = 'ok') = (reason IS NULL) AND (reason IS NULL) = (says IS NULL)),
  UNIQUE (serial, position), UNIQUE (serial, arm)
) STRICT;
CREATE TABLE capture (trial INTEGER PRIMARY KEY REFERENCES trial, packed BLOB NOT NULL) STRICT;
CREATE TABLE warmUp (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session, launch INTEGER NOT NULL, packed BLOB NOT NULL
) STRICT;
CREATE TABLE measuredLink (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session,
  link TEXT NOT NULL, calibration TEXT NOT NULL, lab TEXT NOT NULL
) STRICT;
CREATE TABLE film (
  session INTEGER NOT NULL REFERENCES session, condition TEXT NOT NULL, arm TEXT NOT NULL, packed BLOB NOT NULL,
  PRIMARY KEY (condition, arm)
) STRICT, WITHOUT ROWID;
CREATE TABLE lighthouse (
  id INTEGER PRIMARY KEY, session INTEGER NOT NULL REFERENCES session,
  condition TEXT NOT NULL, arm TEXT NOT NULL, run INTEGER NOT NULL, score TEXT NOT NULL,
  UNIQUE (condition, arm, run)
) STRICT;
PRAGMA application_id = 1885892468;
PRAGMA user_version = 1;
