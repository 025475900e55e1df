// Settings that can't be used, told all at once. Apart from what reads them, so that telling loads nothing else.

export class BadSettings extends Error {
  constructor(readonly faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "BadSettings";
  }
}
