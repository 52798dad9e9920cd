/** Lets at most so many in at a time, and those fairly: whoever has most inside is the one that waits outside. */
export interface AdmissionControl {
  /** Lets one in, who says when it is out again; `undefined`: there is no room. A lane with little inside finds room where others do not. */
  admit(lane: string): (() => void) | undefined;
}

/** `max`: beyond it only lanes enter that have less inside than the longest; so at most twice as many are inside. */
export function admissionControl(max: number): AdmissionControl {
  const inside = new Map<string, number>();
  let all = 0;

  function hasRoom(lane: string): boolean {
    if (all < max) return true;
    const longest = Math.max(...inside.values());
    return all < 2 * max && (inside.get(lane) ?? 0) < longest - 1;
  }

  function leave(lane: string): void {
    const left = (inside.get(lane) ?? 1) - 1;
    if (left > 0) inside.set(lane, left);
    else inside.delete(lane);
    all -= 1;
  }

  return {
    admit(lane) {
      if (!hasRoom(lane)) return undefined;
      inside.set(lane, (inside.get(lane) ?? 0) + 1);
      all += 1;
      return () => leave(lane);
    },
  };
}
