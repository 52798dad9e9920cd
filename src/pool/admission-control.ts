/**
 * Bounds the number of admitted requests fairly: at the bound the lanes with the most admitted requests are refused.
 */
export interface AdmissionControl {
  /** Admits a request and returns its release; `undefined` for a refused request. */
  admit(lane: string): (() => void) | undefined;
  /** Whether a request of every lane is admitted. */
  readonly hasRoom: boolean;
}

/** Beyond `max`, only lanes with fewer admitted requests than the largest lane are admitted, up to `2 * max` in all. */
export function admissionControl(max: number): AdmissionControl {
  const admitted = new Map<string, number>();
  let total = 0;

  function isAdmissible(lane: string): boolean {
    if (total < max) return true;
    const largest = Math.max(...admitted.values());
    return total < 2 * max && (admitted.get(lane) ?? 0) < largest - 1;
  }

  function release(lane: string): void {
    const remaining = (admitted.get(lane) ?? 1) - 1;
    if (remaining > 0) admitted.set(lane, remaining);
    else admitted.delete(lane);
    total -= 1;
  }

  return {
    admit(lane) {
      if (!isAdmissible(lane)) return undefined;
      admitted.set(lane, (admitted.get(lane) ?? 0) + 1);
      total += 1;
      return () => release(lane);
    },
    get hasRoom() {
      return total < max;
    },
  };
}
