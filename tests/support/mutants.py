"""Lines of text as they occur, and as they should not: seeds and mutations of them."""

from __future__ import annotations

import random

LIBSVM = (
    b"1 1:0.5 3:2 10:-1e-3",
    b"-1 qid:7 2:1 5:.25 # a comment",
    b"+1 7:1 25:2 301:1 40000:3",
    b"1:3 4:5.",
    b"0",
    b"# nothing",
    b"",
    b"-1.5e2\t3:123456789012345678901  9:0.1234567890123456789\r",
    b"2 67108864:1",
    b"1 00000012:1 123456789:2",
    b"1 5:2.2250738585072014e-308 6:1.7976931348623157e308",
)
VW = (
    b"1 | 7:1 25:2 301",
    b"-1 2.5 'tag|user age:0.5 name |item:2 price:1.25 12 :3 :4",
    b"1 1 0.5 second|a x y:2 |b z 7:3 |12 q |  abc",
    b"'only |f a b c:1e-3",
    b"| word_and_more_than_thirty_two_characters_in_it:3 \xc3\xa9t\xc3\xa9",
    b"",
    b"0 0 |a:0.5 a b a b |a a",
    b"1 tag|f|g h|",
    b"2 |ns\t12345678901:1 x:9007199254740993 y:1.5e300\r",
)
SEEDS = {"libsvm": LIBSVM, "vw": VW}
PIECES = (
    b" ", b"\t", b"\r", b"\n", b"\r\n", b":", b"|", b"#", b"'", b",", b";", b"-", b"+",
    b".", b"e", b"E", b"0", b"1", b"9", b"00000000", b"99999999", b"\x00", b"\x0b",
    b"\xff", b"\xef\xbb\xbf", b"nan", b"inf", b"1e400", b"1e-400", b"0x1p3", b"1_0",
    b"qid:", b"qid:3", b"1:1", b"2:2", b"67108865:1", b"18446744073709551617:1", b"a:b",
    b"9007199254740993", b"|a", b"|b x", b"|a:1e308", b"x:10", b":2",
    b"123456789012345678901234567890", b"4.9e-324", b"0.000000000000000000000000001",
    b"4611686018427387904:1",
)  # fmt: skip


def mutated(seeds, n, random_seed):
    """`n` lines made from `seeds`: some as they are, most of them changed."""
    rng = random.Random(random_seed)
    lines = []
    for _ in range(n):
        line = bytearray(rng.choice(seeds))
        for _ in range(rng.choice((0, 1, 1, 1, 2, 4))):
            mutate(line, rng, seeds)
        lines.append(bytes(line))
    return lines


def mutate(line, rng, seeds):
    at = rng.randrange(len(line) + 1)
    what = rng.randrange(6)
    if what == 0:
        line[at:at] = rng.choice(PIECES)
    elif what == 1:
        line[at : at + 1] = bytes([rng.randrange(256)])
    elif what == 2:
        del line[at : at + rng.choice((1, 1, 2, 5))]
    elif what == 3:
        end = rng.randrange(len(line) + 1)
        line[at:at] = line[min(at, end) : max(at, end)]
    elif what == 4:
        other = rng.choice(seeds)
        line[at:] = other[rng.randrange(len(other) + 1) :]
    else:
        line[at : at + 1] = rng.choice(PIECES)
