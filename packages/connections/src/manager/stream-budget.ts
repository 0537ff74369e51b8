import type { FetchLike } from '@portico/spec';
import type { Environment } from './environment.ts';

/**
 * Long streams to one origin over all tabs, where it is not known to carry many over one connection:
 * browsers open six connections to such an origin, and calls need some of them. Source: R161.
 */
const STREAMS_PER_ORIGIN = 3;

type Places = Pick<Environment, 'places' | 'carriesMany'>;

/** Takes one of the places for long streams to an origin. @returns how to give it back; undefined when there is none */
export async function holdStream(
  { places, carriesMany }: Places,
  url: string,
): Promise<(() => void) | undefined> {
  const { origin } = new URL(url);
  if (carriesMany(origin)) return () => undefined;
  for (let index = 0; index < STREAMS_PER_ORIGIN; index += 1) {
    const giveBack = await places.tryHold(`portico-stream ${origin} ${index}`);
    if (giveBack !== undefined) return giveBack;
  }
  return undefined;
}

/** A body that tells when nobody reads it any more. */
function withEnd(response: Response, ended: () => void): Response {
  if (response.body === null) {
    ended();
    return response;
  }
  const reader = response.body.getReader();
  const body = new ReadableStream<Uint8Array>({
    async pull(controller) {
      try {
        const { done, value } = await reader.read();
        if (!done) return controller.enqueue(value);
        ended();
        controller.close();
      } catch (error) {
        ended();
        controller.error(error);
      }
    },
    async cancel(reason) {
      ended();
      await reader.cancel(reason);
    },
  });
  const { status, statusText, headers } = response;
  return new Response(body, { status, statusText, headers });
}

/**
 * A fetch whose standing streams count. One that finds no place is answered as by a server that has no
 * such stream, which costs notices and nothing else.
 */
export function budgetedFetch(fetch: FetchLike, environment: Places): FetchLike {
  return async (target, init) => {
    if (init?.method !== 'GET') return fetch(target, init);
    const giveBack = await holdStream(environment, String(target));
    if (giveBack === undefined) return new Response(null, { status: 405 });
    try {
      return withEnd(await fetch(target, init), giveBack);
    } catch (error) {
      giveBack();
      throw error;
    }
  };
}
