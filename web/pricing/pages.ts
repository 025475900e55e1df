// Every page of this folder, by what it is for.
import { renderArrival, renderKey, renderTestCheckout } from "./checkout.ts";
import { drawFrame, type Frame, type FrameSettings } from "./frame.ts";
import { renderPricing } from "./pricing.ts";
import { renderLink, renderMessage, renderRecover } from "./recover.ts";

export type BillingViews = ReturnType<typeof createBillingViews>;

export function createBillingViews(settings: FrameSettings) {
  const drawn =
    <Page>(render: (page: Page) => Frame) =>
    (page: Page) =>
      drawFrame(render(page), settings);
  return {
    pricing: drawn(renderPricing),
    key: drawn(renderKey),
    arrival: drawn(renderArrival),
    testCheckout: drawn(renderTestCheckout),
    recover: drawn(renderRecover),
    link: drawn(renderLink),
    message: drawn(renderMessage),
  };
}
