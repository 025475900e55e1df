// The version of the interface, as /v1 and the documents give it.
export const SERVICE_VERSION = "2.0.0";
