// Invalid settings, reported all at once. Separate from the code that reads them, so that reporting loads nothing else.

export class BadSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "BadSettings";
  }
}
