// What answers call things by: the operator's chain names, and pictures by an address that works from anywhere. A platform
// that has its pictures drawn here names them by path, and a reader of an answer need not know which address it came from.
import type { Chains } from "../../../contract/chains.ts";
import { IMAGES_PATH } from "../images.ts";

export interface Labels {
  chains: Chains;
  pictureUrl(image: string | null): string | null;
}

/** `publicUrl` is asked each time: the port may be known only once the server listens. */
export function createLabels(chains: Chains, publicUrl: () => string): Labels {
  return {
    chains,
    pictureUrl: (image) => (image?.startsWith(IMAGES_PATH) ? `${publicUrl()}${image}` : image),
  };
}
