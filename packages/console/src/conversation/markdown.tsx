import type { ComponentProps } from 'react';
import { lazy, memo, Suspense } from 'react';

const Renderer = lazy(async () => ({ default: (await import('./markdown-renderer.tsx')).MarkdownRenderer }));

/** Markdown without raw HTML and without anything fetched; plain text until its code has loaded. */
export const Markdown = memo(function Markdown({ text }: ComponentProps<typeof Renderer>) {
  return (
    <Suspense fallback={<div className="prose whitespace-pre-wrap">{text}</div>}>
      <Renderer text={text} />
    </Suspense>
  );
});
