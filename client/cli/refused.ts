// A command that was used wrongly, or can't do what was requested: the sentence says what to do.
export class Refused extends Error {}
