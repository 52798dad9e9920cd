#!/bin/sh
# Creates the roles of migrations and of replicas. The image of PostgreSQL runs the script at the creation of the data
# directory.
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v migration_password="$MIGRATION_PASSWORD" -v replica_password="$REPLICA_PASSWORD" -f /roles.sql
