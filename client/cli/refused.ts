// A command that was used wrongly, or can't do what it was asked: the sentence says what to do.
export class Refused extends Error {}
