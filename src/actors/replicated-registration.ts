/**
 * Owns: the registration settings in memory, so that no request reads the settings from PostgreSQL.
 * Updated by: writes of this replica (`changed`), writes of other replicas through a Redis stream, and a poll of
 * PostgreSQL, the source of truth, for changes lost by Redis.
 * Bound: one row; one load at a time.
 * A crash loses: no data; start() reads PostgreSQL again.
 */
import {
  listRegistrationSettings,
  REGISTRATION_STREAM,
  type RegistrationRow,
} from "../models/registration-settings/registration-settings.ts";
import { type ReplicatedRowsDeps, type ReplicatedTable, replicateRows } from "../state/replicated-table.ts";
import { type RegistrationMode, type RegistrationSettings, registrationOf } from "../vocabulary/registration.ts";

export interface Registration extends ReplicatedTable {
  /** The settings in force. `mode`: of the application of the registration, in place of the mode of the deployment. */
  settings(mode?: RegistrationMode | null): RegistrationSettings;
}

/** `defaultMode`: `SERVICE_REGISTRATION`, the mode while no row is stored. */
export function registration(deps: ReplicatedRowsDeps & { readonly defaultMode: RegistrationMode }): Registration {
  const { held, ...table } = replicateRows<RegistrationRow, RegistrationRow | undefined>(deps, {
    stream: REGISTRATION_STREAM,
    operation: "registration.find",
    list: listRegistrationSettings,
    hold: ([row]) => row,
    noun: "registration settings",
  });
  return {
    ...table,
    settings(mode) {
      const stored = held()?.settings ?? { mode: deps.defaultMode };
      return registrationOf({ ...stored, mode: mode ?? stored.mode });
    },
  };
}
