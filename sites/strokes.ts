/** A character as a pen draws it: its lines through points, in units of which a capital is 14 high. */
export interface Glyph {
  readonly width: number;
  readonly lines: readonly (readonly Point[])[];
}

/** How far a point is right of the character's left edge, and above the baseline. */
export type Point = readonly [x: number, y: number];

// A row is a character, its width, and its strokes: `x,y x,y ...` is a line, `@x,y rx,ry from to` an arc in degrees.
const DRAWN = `
A 10 0,0 5,14 10,0|1.8,5 8.2,5
B 9 0,0 0,14 5,14|@5,10.5 3.5,3.5 90 -90|5,7 0,7|@5,3.5 4,3.5 90 -90|5,0 0,0
C 10 @5.5,7 5.5,7 50 310
D 10 0,0 0,14 4,14|@4,7 6,7 90 -90|4,0 0,0
E 8 8,14 0,14 0,0 8,0|0,7 7,7
F 8 8,14 0,14 0,0|0,7 7,7
G 11 @5.5,7 5.5,7 50 360|11,7 6.5,7
H 10 0,0 0,14|10,0 10,14|0,7 10,7
I 2 1,0 1,14
J 7 7,14 7,4|@3.5,4 3.5,4 0 -180
K 9 0,0 0,14|9,14 0,5.5|3,8.5 9,0
L 8 0,14 0,0 8,0
M 12 0,0 0,14 6,4 12,14 12,0
N 10 0,0 0,14 10,0 10,14
O 12 @6,7 6,7 0 360
P 9 0,0 0,14 5,14|@5,10.25 4,3.75 90 -90|5,6.5 0,6.5
Q 12 @6,7 6,7 0 360|7.5,3.5 11.5,-1
R 9 0,0 0,14 5,14|@5,10.25 4,3.75 90 -90|5,6.5 0,6.5|5,6.5 9,0
S 9 @4.5,10.5 4.2,3.5 40 270|@4.5,3.5 4.5,3.5 90 -140
T 10 0,14 10,14|5,14 5,0
U 10 0,14 0,5|@5,5 5,5 180 360|10,5 10,14
V 10 0,14 5,0 10,14
W 14 0,14 3.5,0 7,12 10.5,0 14,14
X 10 0,0 10,14|0,14 10,0
Y 10 0,14 5,7 10,14|5,7 5,0
Z 9 0,14 9,14 0,0 9,0
a 8 @4,5 4,5 0 360|8,10 8,0
b 8 @4,5 4,5 0 360|0,14 0,0
c 7 @4,5 4,5 50 310
d 8 @4,5 4,5 0 360|8,14 8,0
e 8 @4,5 4,5 0 320|0,5 8,5
f 5 @5,11 3,3 60 180|2,11 2,0|0,10 5,10
g 8 @4,5 4,5 0 360|8,10 8,-1|@4,-1 4,3 0 -150
h 7 0,14 0,0|@3.5,6 3.5,4 180 0|7,6 7,0
i 2 1,10 1,0|1,13.4 1,13.6
j 2 1.5,10 1.5,-2|@-0.5,-2 2,2 0 -90|1.5,13.4 1.5,13.6
k 7 0,14 0,0|6.5,10 0,4|2.2,6 7,0
l 2 1,14 1,0
m 12 0,10 0,0|@3,6 3,4 180 0|6,6 6,0|@9,6 3,4 180 0|12,6 12,0
n 7 0,10 0,0|@3.5,6 3.5,4 180 0|7,6 7,0
o 8 @4,5 4,5 0 360
p 8 @4,5 4,5 0 360|0,10 0,-4
q 8 @4,5 4,5 0 360|8,10 8,-4
r 5 0,10 0,0|@3.5,6 3.5,4 180 60
s 7 @3.4,7.5 3,2.5 40 270|@3.4,2.5 3.4,2.5 90 -140
t 5 2,13.5 2,3|@4.5,3 2.5,3 180 290|0,10 5,10
u 7 0,10 0,4|@3.5,4 3.5,4 180 360|7,10 7,0
v 8 0,10 4,0 8,10
w 12 0,10 3,0 6,9 9,0 12,10
x 8 0,0 8,10|0,10 8,0
y 8 0,10 4,0|8,10 2.4,-4
z 7 0,10 7,10 0,0 7,0
0 9 @4.5,7 4.5,7 0 360
1 5 1,11 4,14 4,0
2 9 @4.3,10 4.2,4 160 -30|7.94,8 0,0 8.5,0
3 9 @4.3,10.5 3.8,3.5 150 -90|@4.3,3.5 4.4,3.5 90 -150
4 9 6.5,0 6.5,14 0,4 9,4
5 9 8,14 1,14 0.6,7.5|@4.2,4.5 4.5,4.5 142 -150
6 9 @4.5,4.5 4.5,4.5 0 360|0.2,5.6 5.5,14
7 9 0,14 8.5,14 3,0
8 9 @4.5,10.5 3.7,3.5 0 360|@4.5,3.5 4.5,3.5 0 360
9 9 @4.5,9.5 4.5,4.5 0 360|8.8,8.4 3.5,0
. 2 1,0 1,0.2
, 2 1.5,0.5 0.5,-2.5
: 2 1,0 1,0.2|1,8.8 1,9
; 2 1.5,0.5 0.5,-2.5|1,8.8 1,9
! 2 1,14 1,4|1,0 1,0.2
? 8 @4,10.5 3.6,3.5 160 -80|4.6,7 4,4|4,0 4,0.2
- 5 0,5 5,5
_ 8 0,-2 8,-2
' 2 1,14 1,10.5
" 4 0.5,14 0.5,10.5|3.5,14 3.5,10.5
( 4 @6,5 5,10 125 235
) 4 @-2,5 5,10 55 -55
[ 4 4,15 0.5,15 0.5,-4 4,-4
] 4 0,15 3.5,15 3.5,-4 0,-4
/ 7 0,-2 7,15
+ 8 0,6 8,6|4,2 4,10
= 8 0,4 8,4|0,8 8,8
< 8 8,11 0,6 8,1
> 8 0,11 8,6 0,1
* 6 3,14 3,8|0.4,12.5 5.6,9.5|0.4,9.5 5.6,12.5
# 10 3,0 4.5,14|6.5,0 8,14|0.5,4.5 9.5,4.5|1.5,9.5 10.5,9.5
$ 9 @4.5,10.5 4.2,3.5 40 270|@4.5,3.5 4.5,3.5 90 -140|4.5,-2 4.5,16
% 13 @3,11 3,3 0 360|@10,3 3,3 0 360|2,0 11,14
& 11 10,0 2.5,10|@4.8,11 2.7,3 200 -40|6.9,9.1 1.2,5.6|@4,3.4 4,3.4 140 360|8,3.4 9.5,6.5
@ 14 @7,6 7,7.5 -50 290|@7,6 3,3.5 0 360|10,9.5 10,4
| 2 1,16 1,-4
`;

const ARC_STEP_DEGREES = 22.5;

/** The characters that can be drawn. */
export const GLYPHS: ReadonlyMap<string, Glyph> = new Map(DRAWN.trim().split('\n').map(parseGlyph));

function parseGlyph(row: string): [string, Glyph] {
  const [character, width, ...rest] = row.split(' ');
  return [character!, { width: Number(width), lines: rest.join(' ').split('|').map(parseStroke) }];
}

function parseStroke(stroke: string): readonly Point[] {
  if (!stroke.startsWith('@')) return stroke.split(' ').map(parsePoint);
  const [center, radii, from, to] = stroke.slice(1).split(' ');
  return arc(parsePoint(center!), parsePoint(radii!), Number(from), Number(to));
}

function parsePoint(text: string): Point {
  const [x, y] = text.split(',').map(Number);
  return [x!, y!];
}

function arc(center: Point, radii: Point, fromDegrees: number, toDegrees: number): Point[] {
  const steps = Math.ceil(Math.abs(toDegrees - fromDegrees) / ARC_STEP_DEGREES);
  return Array.from({ length: steps + 1 }, (_, step) => {
    const angle = ((fromDegrees + ((toDegrees - fromDegrees) * step) / steps) * Math.PI) / 180;
    return [center[0] + radii[0] * Math.cos(angle), center[1] + radii[1] * Math.sin(angle)] as const;
  });
}
