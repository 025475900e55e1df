// Every page of this folder, by its purpose.
import {
  type ArrivalPage,
  type KeyPage,
  renderArrival,
  renderKey,
  renderShown,
  renderTestCheckout,
} from "./checkout.tsx";
import { drawFrame, type FrameSettings, type PageFrame } from "./frame.tsx";
import { renderPricing } from "./pricing.tsx";
import { renderLink, renderMessage, renderRecover } from "./recover.tsx";

export type BillingViews = ReturnType<typeof createBillingViews>;

export function createBillingViews(settings: FrameSettings) {
  const drawn =
    <Page>(render: (page: Page) => PageFrame) =>
    (page: Page) =>
      drawFrame(render(page), settings);
  return {
    pricing: drawn(renderPricing),
    key: drawn((page: KeyPage) => renderKey(page, settings.publicUrl())),
    arrival: drawn((page: ArrivalPage) => renderArrival(page, settings.publicUrl())),
    keyAgain: drawn((text: string) => renderShown(text, settings.publicUrl())),
    testCheckout: drawn(renderTestCheckout),
    recover: drawn(renderRecover),
    link: drawn(renderLink),
    message: drawn(renderMessage),
  };
}
