import { expect, it } from 'vitest';
import { applyHeight } from './view-frame.ts';

const BOUNDS = { minPx: 40, maxPx: 800 };
const frame = () => ({ style: { height: '' } }) as HTMLIFrameElement;

it('settles where a view asks for a little more than it has each time', () => {
  const element = frame();
  const heights: string[] = [];
  applyHeight(element, 300, BOUNDS);
  for (let report = 0; report < 20; report++) {
    applyHeight(element, Number.parseFloat(element.style.height) + 2, BOUNDS);
    heights.push(element.style.height);
  }
  expect(new Set(heights)).toEqual(new Set(['300px']));
});

it('settles where a view measures a pixel less than it has', () => {
  const element = frame();
  applyHeight(element, 300, BOUNDS);
  for (let report = 0; report < 20; report++) {
    applyHeight(element, Number.parseFloat(element.style.height) - 1, BOUNDS);
  }
  expect(element.style.height).toBe('300px');
});

it.each([
  [0, '40px'],
  [1e9, '800px'],
  [480, '480px'],
  [undefined, ''],
])('applies %s as %j', (height, expected) => {
  const element = frame();
  applyHeight(element, height, BOUNDS);
  expect(element.style.height).toBe(expected);
});
