// The version of the API, as shown by /v1 and the documents.
export const SERVICE_VERSION = "2.0.0";
