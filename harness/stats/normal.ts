import type { Random } from './random.ts';

/** The probability that a standard normal variable is at most `x`. */
export function normalCdf(x: number): number {
  if (x > 0) return 1 - normalCdf(-x);
  const density = Math.exp((-x * x) / 2) / Math.sqrt(2 * Math.PI);
  // The series loses digits of a small tail, the fraction is slow near the middle.
  return x > -4 ? 0.5 + density * seriesFromMiddle(x) : density / fractionOfTail(-x);
}

/** The value that a standard normal variable stays below with this probability. */
export function normalQuantile(probability: number): number {
  let low = -40;
  let high = 40;
  for (let step = 0; step < 64; step += 1) {
    const middle = (low + high) / 2;
    if (normalCdf(middle) < probability) low = middle;
    else high = middle;
  }
  return high;
}

/** x + x³/3 + x⁵/(3·5) + … */
function seriesFromMiddle(x: number): number {
  let term = x;
  let sum = x;
  const square = x * x;
  // All terms have the sign of x: once one adds nothing, none will.
  for (let odd = 3; sum + term !== sum; odd += 2) {
    term *= square / odd;
    sum += term;
  }
  return sum;
}

/** x + 1/(x + 2/(x + 3/(x + …))) */
function fractionOfTail(x: number): number {
  let value = x;
  for (let depth = 50; depth > 0; depth -= 1) value = x + depth / value;
  return value;
}

/** A standard normal variable (Box and Muller). */
export function normalDeviate(random: Random): number {
  return Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
}
