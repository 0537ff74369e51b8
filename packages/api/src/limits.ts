// Apart from the schemas, so that a page can know its limits without loading a schema library.

/** Largest page, in bytes of UTF-8 (10 MB). */
export const MAX_PAGE_BYTES = 10_000_000;
