"""Profiles the parts of a table export with Spark: each partition goes through `keyfold profile`.

usage: python spark.py KEYFOLD TABLE PARTS OUT

KEYFOLD and TABLE are the paths of the program and of the file that defines the table, the same on each worker. PARTS are
the files, also with wildcards or on S3. OUT is a new folder for the profiles; `keyfold infer OUT/part-*` makes the design.
"""

import shlex
import sys

from pyspark.sql import SparkSession

keyfold, table, parts, out = sys.argv[1:]
spark = SparkSession.builder.appName("keyfold").getOrCreate()
lines = spark.sparkContext.textFile(parts)
command = f"{shlex.quote(keyfold)} profile - --table {shlex.quote(table)}"
lines.pipe(command, checkCode=True).saveAsTextFile(out)
spark.stop()
