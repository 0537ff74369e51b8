/** Asks for a request to run as a task, in revision 2025-11-25. Vocabulary only: none is served. */
export interface TaskMetadata {
  /** Milliseconds to keep the task. */
  ttl?: number;
}
