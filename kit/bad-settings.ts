// Settings that can't be used, reported all at once. Separate from what reads them, so that reporting loads nothing else.

export class BadSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "BadSettings";
  }
}
