// Every page of this folder, by what it is for.
import { renderArrival, renderKey, renderTestCheckout } from "./checkout.ts";
import { renderPricing } from "./pricing.ts";
import { renderLink, renderMessage, renderRecover } from "./recover.ts";

export const billingViews = {
  pricing: renderPricing,
  key: renderKey,
  arrival: renderArrival,
  testCheckout: renderTestCheckout,
  recover: renderRecover,
  link: renderLink,
  message: renderMessage,
};
