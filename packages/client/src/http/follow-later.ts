import type { HttpChannel } from './channel.ts';
import type { FollowOptions } from './follow-stream.ts';

/**
 * As `followStream`, which is loaded with the first stream: many servers have none and answer in JSON.
 * Nothing of the stream is read before that.
 *
 * @throws as `followStream`
 */
export async function followLater(channel: HttpChannel, options: FollowOptions): Promise<void> {
  const { followStream } = await import('./follow-stream.ts');
  if (!options.scope.aborted) return followStream(channel, options);
  options.first?.discard();
}
