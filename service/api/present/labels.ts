// Labels in answers: the operator's chain names, and picture URLs that work from anywhere. A platform whose pictures are
// drawn here gives only their paths, and a reader of an answer need not know which host it came from.
import type { Chains } from "../../../contract/chains.ts";

/** A picture whose path starts with this is served here. */
export const IMAGES_PATH = "/images/";

export interface AnswerLabels {
  chains: Chains;
  pictureUrl(image: string | null): string | null;
}

/** `publicUrl` is called each time: the port may be known only once the server listens. */
export function createLabels(chains: Chains, publicUrl: () => string): AnswerLabels {
  return {
    chains,
    pictureUrl: (image) => (image?.startsWith(IMAGES_PATH) ? `${publicUrl()}${image}` : image),
  };
}
