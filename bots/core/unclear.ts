// A request that can't be fulfilled as written: the message is sent back to the user.
export class Unclear extends Error {}
