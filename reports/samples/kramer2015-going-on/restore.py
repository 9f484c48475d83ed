"""Makes the kept store one that Photofinish reads: xz -dk study.sqlite.xz, then restore.py study.sqlite."""
import gzip
import sqlite3
import sys

database = sqlite3.connect(sys.argv[1])
for table in ("capture", "warmUp"):
    for row, plain in database.execute(f"SELECT rowid, packed FROM {table}").fetchall():
        database.execute(f"UPDATE {table} SET packed = ? WHERE rowid = ?", (gzip.compress(plain, 6), row))
database.commit()
database.execute("VACUUM")
