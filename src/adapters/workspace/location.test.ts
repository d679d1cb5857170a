import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cacheFolder, isWithin, segmentOf } from './location.ts';

test('the cache folder is the setting, then an absolute XDG_CACHE_HOME, then the one in the home folder', () => {
  const home = '/home/me';
  expect(cacheFolder({ root: '/big', env: { XDG_CACHE_HOME: '/xdg' }, home })).toBe('/big');
  expect(cacheFolder({ env: { XDG_CACHE_HOME: '/xdg' }, home })).toBe('/xdg');
  expect(cacheFolder({ env: { XDG_CACHE_HOME: 'xdg' }, home })).toBe('/home/me/.cache');
  expect(cacheFolder({ env: { XDG_CACHE_HOME: '' }, home })).toBe('/home/me/.cache');
  expect(cacheFolder({ env: {}, home })).toBe('/home/me/.cache');
});

test('a name that tasks commonly have stands in paths and refs as it is', () => {
  expect(segmentOf('1.2')).toBe('1.2');
  expect(segmentOf('T001-a')).toBe('T001-a');
  expect(segmentOf('a/../b c')).toBe('a_2F_2E._2Fb_20c');
});

const names = fc.oneof(fc.string({ unit: 'binary', maxLength: 120 }), fc.stringMatching(/^[._a-lock]{0,9}$/));

test('unlike names have unlike segments, each fit for a path and a ref (R-SEC-1)', () => {
  fc.assert(
    fc.property(names, names, (one, other) => {
      expect(segmentOf(one) === segmentOf(other)).toBe(Buffer.from(one).equals(Buffer.from(other)));
      expect(segmentOf(one)).toMatch(/^(?!\.)(?!.*\.\.)[A-Za-z0-9._-]{1,80}(?<!\.)(?<!\.lock)$/);
    }),
  );
});

test('a folder holds itself and what is below, by whole segments', () => {
  expect(isWithin('/a/b', '/a/b')).toBe(true);
  expect(isWithin('/a/b', '/a/b/..c')).toBe(true);
  expect(isWithin('/a/b', '/a/bc')).toBe(false);
  expect(isWithin('/a/b', '/a')).toBe(false);
});
