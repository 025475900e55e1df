// A thesis: the written reason for a position. A comment: what others say under it.
export type { Comment, Thesis } from "../../protocol/shapes/thesis.ts";
