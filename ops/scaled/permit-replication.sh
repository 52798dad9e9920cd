#!/bin/sh
# The image permits every database to roles with a password, and replication only to the machine itself.
echo "host replication all all scram-sha-256" >>"$PGDATA/pg_hba.conf"
