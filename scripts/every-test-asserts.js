// Runs before each test: a test that returns before its first assertion fails, instead of showing nothing.
import { beforeEach, expect } from '@jest/globals';

beforeEach(() => expect.hasAssertions());
