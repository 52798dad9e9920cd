#!/bin/sh
# Runs in the image of PostgreSQL when the data directory is created: the roles of migrations and of replicas.
psql -v ON_ERROR_STOP=1 -U "$POSTGRES_USER" -d "$POSTGRES_DB" \
  -v migration_password="$MIGRATION_PASSWORD" -v replica_password="$REPLICA_PASSWORD" -f /roles.sql
