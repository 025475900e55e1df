// A handle is compared without case and without its optional leading @.
export { normaliseHandle } from "../../protocol/values.ts";
