/** A map of at most `max` entries: the oldest entry makes room for a new entry. */
export class BoundedMap<Key, Value> extends Map<Key, Value> {
  readonly max: number;

  constructor(max: number) {
    super();
    this.max = max;
  }

  override set(key: Key, value: Value): this {
    if (this.size >= this.max && !this.has(key))
      for (const oldest of this.keys()) return this.replace(oldest, key, value);
    return super.set(key, value);
  }

  private replace(oldest: Key, key: Key, value: Value): this {
    this.delete(oldest);
    return super.set(key, value);
  }
}
