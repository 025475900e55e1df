// What a person asked for and can't have as they wrote it: the sentence goes back to them.
export class Unclear extends Error {}
