import { loadGeolocationFile } from "../../providers/geolocation/geolocation-file.ts";

/** Loads the geolocation file as a replica does, for `doctor`. Returns the reason for which the file is unusable. */
export async function examineGeolocation(path: string): Promise<string | undefined> {
  return await loadGeolocationFile(path).then(
    () => undefined,
    (error: Error) => error.message,
  );
}
