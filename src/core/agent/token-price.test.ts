import { expect, test } from 'vitest';
import { priced } from './token-price.ts';

const PRICE = { input: 3, output: 15 };

test('where an agent reports tokens and no cost, the cost is estimated; a cost that it reports stays (R-DEL-8)', () => {
  expect(priced({ inputTokens: 100_000, outputTokens: 20_000 }, PRICE)).toEqual({
    inputTokens: 100_000,
    outputTokens: 20_000,
    costUsd: 0.6,
    isCostEstimated: true,
  });
  expect(priced({ inputTokens: 100, costUsd: 0 }, PRICE)).toEqual({ inputTokens: 100, costUsd: 0 });
  expect(priced({}, PRICE)).toEqual({});
});
