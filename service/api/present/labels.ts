// What answers call things by: the operator's chain names, and pictures by an address that works from anywhere. A platform
// that has its pictures drawn here names them by path, and a reader of an answer need not know which address it came from.
import type { Chains } from "../../../contract/chains.ts";

/** A picture whose path starts with this is served here. */
export const IMAGES_PATH = "/images/";

export interface AnswerLabels {
  chains: Chains;
  pictureUrl(image: string | null): string | null;
}

/** `publicUrl` is asked each time: the port may be known only once the server listens. */
export function createLabels(chains: Chains, publicUrl: () => string): AnswerLabels {
  return {
    chains,
    pictureUrl: (image) => (image?.startsWith(IMAGES_PATH) ? `${publicUrl()}${image}` : image),
  };
}
