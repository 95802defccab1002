/* Designs the streets of a TAXI! board by simulated annealing; compiled and run by design.py, not needed for play.
 *
 * usage: streets_anneal SEED PROPOSALS     (prints the board found as lines of text, or its shortfalls on stderr)
 *
 * A town is a lattice of 15 x 11 junctions with the base in the middle. Each of its 304 lattice links is missing, open or
 * lit (has a traffic light). Three major roads run each way and are never broken. A one-way ring freeway lies one and a
 * half blocks outside; gates lead on to it and exits lead off it, straight out of and into perimeter junctions.
 *
 * Distances are counted in streets: longest straight runs of open links. A run crosses other runs at junctions, so the
 * least number of streets between two places is one more than the number of hops between their runs. A green tablet is
 * one free step between the two runs that meet at a light. The lead-on of a gate prolongs the run in line with it, and
 * so does the ramp of an exit; with a white tablet every exit is in the same street as every gate.
 *
 * The energy is the weighted sum of what each check of a designed board falls short by (rules/F.3: BD-03, BD-10 to
 * BD-15), of what the guides will need, and of what looks bad: bends one after the other, large voids, crowded X's.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { W = 15, H = 11, BX = 7, BY = 5, LINKS = 304, HLINKS = 154, JUNCTIONS = W * H, XS = 28, SITES = XS + 1 };
enum { GATES = 5, EXITS = 7, RAMPS = GATES + EXITS, PERIMETER = 2 * (W + H) - 4, RUNS = 336, WORDS = 6, FAR = 40 };
enum { MISSING, OPEN, LIT };

static const int MAJOR_ROWS[] = {2, 5, 8}, MAJOR_COLS[] = {2, 7, 12};

typedef struct {
    uint8_t state[LINKS];   /* MISSING, OPEN, LIT */
    int8_t x_at[LINKS];     /* which X lies in the middle of the link, or -1 */
    int x_link[XS];
    int ramp[RAMPS];        /* perimeter junctions, gates first */
} Town;

static uint64_t random_state;
static int link_a[LINKS], link_b[LINKS], is_major[LINKS], near_base[LINKS], near_links[LINKS][24], near_count[LINKS];
static int perimeter[PERIMETER];
static double link_x[LINKS], link_y[LINKS];
static double shortfall[32];
static const char *shortfall_name[32];

static uint64_t next_random(void) { /* xorshift64* */
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 2685821657736338717ULL;
}
static int below(int n) { return (int)((next_random() >> 33) % (uint64_t)n); }
static double unit(void) { return (double)(next_random() >> 11) / 9007199254740992.0; }

static int h_link(int x, int y) { return y * (W - 1) + x; }
static int v_link(int x, int y) { return HLINKS + x * (H - 1) + y; }
static int junction(int x, int y) { return y * W + x; }

static void lay_out(void) {
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            if (x < W - 1) {
                int l = h_link(x, y);
                link_a[l] = junction(x, y), link_b[l] = junction(x + 1, y), link_x[l] = x + 0.5, link_y[l] = y;
                for (int i = 0; i < 3; i++) is_major[l] |= MAJOR_ROWS[i] == y;
            }
            if (y < H - 1) {
                int l = v_link(x, y);
                link_a[l] = junction(x, y), link_b[l] = junction(x, y + 1), link_x[l] = x, link_y[l] = y + 0.5;
                for (int i = 0; i < 3; i++) is_major[l] |= MAJOR_COLS[i] == x;
            }
        }
    for (int l = 0; l < LINKS; l++) {
        int base = junction(BX, BY);
        near_base[l] = link_a[l] == base || link_b[l] == base;
        for (int k = 0; k < LINKS; k++)
            if (k != l && fabs(link_x[k] - link_x[l]) + fabs(link_y[k] - link_y[l]) < 2.1 && near_count[l] < 24)
                near_links[l][near_count[l]++] = k;
    }
    int n = 0; /* clockwise from the south-west corner's north */
    for (int y = 0; y < H; y++) perimeter[n++] = junction(0, y);
    for (int x = 1; x < W; x++) perimeter[n++] = junction(x, H - 1);
    for (int y = H - 2; y >= 0; y--) perimeter[n++] = junction(W - 1, y);
    for (int x = W - 2; x > 0; x--) perimeter[n++] = junction(x, 0);
}

/* ---- runs and hops ---- */
typedef struct {
    int count;
    int h[JUNCTIONS], v[JUNCTIONS];
    uint64_t next[RUNS][WORDS];
} Runs;

static void find_runs(const Town *t, int lights_open, Runs *r) {
    r->count = 0;
    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++) {
            int s = x ? t->state[h_link(x - 1, y)] : MISSING;
            r->h[junction(x, y)] = s == OPEN || (s == LIT && lights_open) ? r->h[junction(x - 1, y)] : r->count++;
        }
    for (int x = 0; x < W; x++)
        for (int y = 0; y < H; y++) {
            int s = y ? t->state[v_link(x, y - 1)] : MISSING;
            r->v[junction(x, y)] = s == OPEN || (s == LIT && lights_open) ? r->v[junction(x, y - 1)] : r->count++;
        }
    memset(r->next, 0, sizeof(uint64_t) * WORDS * (size_t)r->count);
    for (int j = 0; j < JUNCTIONS; j++) {
        int a = r->h[j], b = r->v[j];
        r->next[a][b >> 6] |= 1ULL << (b & 63);
        r->next[b][a >> 6] |= 1ULL << (a & 63);
    }
}

static void hops_from(const Runs *r, int first, int second, uint8_t *out) {
    uint64_t seen[WORDS] = {0}, front[WORDS] = {0};
    memset(out, FAR, (size_t)r->count);
    front[first >> 6] |= 1ULL << (first & 63);
    front[second >> 6] |= 1ULL << (second & 63);
    memcpy(seen, front, sizeof seen);
    for (int d = 0;; d++) {
        uint64_t then[WORDS] = {0}, any = 0;
        for (int w = 0; w < WORDS; w++)
            for (uint64_t bits = front[w]; bits; bits &= bits - 1) {
                int run = w * 64 + __builtin_ctzll(bits);
                out[run] = (uint8_t)d;
                for (int k = 0; k < WORDS; k++) then[k] |= r->next[run][k];
            }
        for (int w = 0; w < WORDS; w++) then[w] &= ~seen[w], seen[w] |= then[w], any |= then[w];
        if (!any || d > FAR - 2) return;
        memcpy(front, then, sizeof front);
    }
}

static int run_of_link(const Runs *r, int l) { return l < HLINKS ? r->h[link_a[l]] : r->v[link_a[l]]; }

static int run_of_ramp(const Runs *r, int j) { /* the run in line with a ramp at perimeter junction j */
    int x = j % W;
    return x == 0 || x == W - 1 ? r->h[j] : r->v[j];
}
static int ramp_side(int j) {
    int x = j % W, y = j / W;
    return x == 0 ? 0 : x == W - 1 ? 1 : y == 0 ? 2 : 3;
}

/* ---- bridges of the graph of open links, by Tarjan ---- */
static int low[JUNCTIONS], order[JUNCTIONS], sites_below[JUNCTIONS], order_count;
static int adjacent[JUNCTIONS][4], adjacent_link[JUNCTIONS][4], degree_open[JUNCTIONS];
static int bridges, bridges_with_x, bridges_parting;
static int site_weight[JUNCTIONS];

static void visit(const Town *t, int j, int from_link) {
    order[j] = low[j] = ++order_count;
    sites_below[j] = site_weight[j];
    for (int i = 0; i < degree_open[j]; i++) {
        int k = adjacent[j][i], l = adjacent_link[j][i];
        if (l == from_link) continue;
        if (order[k]) {
            if (order[k] < low[j]) low[j] = order[k];
            continue;
        }
        visit(t, k, l);
        if (t->x_at[l] >= 0) sites_below[k]++;
        if (low[k] < low[j]) low[j] = low[k];
        if (low[k] > order[j]) {
            bridges++;
            if (t->x_at[l] >= 0) bridges_with_x++;
            if (sites_below[k] > 0) bridges_parting++; /* the base lies above: the search begins there */
        }
        sites_below[j] += sites_below[k];
    }
}

static void find_bridges(const Town *t) {
    memset(degree_open, 0, sizeof degree_open);
    memset(order, 0, sizeof order);
    memset(site_weight, 0, sizeof site_weight);
    for (int l = 0; l < LINKS; l++)
        if (t->state[l] == OPEN) {
            int a = link_a[l], b = link_b[l];
            adjacent[a][degree_open[a]] = b, adjacent_link[a][degree_open[a]++] = l;
            adjacent[b][degree_open[b]] = a, adjacent_link[b][degree_open[b]++] = l;
            if (t->x_at[l] >= 0) { /* an X on a link that is no bridge belongs to both ends' side */
                site_weight[a]++;
            }
        }
    bridges = bridges_with_x = bridges_parting = order_count = 0;
    visit(t, junction(BX, BY), -1);
}

/* ---- energy ---- */
static double above(double value, double limit) { return value > limit ? value - limit : 0; }
static double outside(double value, double low_limit, double high_limit) {
    return value < low_limit ? low_limit - value : above(value, high_limit);
}
static void note(int *n, const char *name, double value) { shortfall_name[*n] = name, shortfall[(*n)++] = value; }

static int window_count(const int *sorted, int n, int width) { /* the most values that lie within `width` of one another */
    int best = 0;
    for (int i = 0, j = 0; i < n; i++) {
        while (sorted[i] - sorted[j] > width) j++;
        if (i - j + 1 > best) best = i - j + 1;
    }
    return best;
}

/* What a river from north to south costs: 1 for passing a gap between blocks, 7 for a bridge, much for a dot, an X or the
 * base. A river that needs few bridges can be drawn into the town without crowding anything. */
static int river(const Town *t) {
    enum { CW = W - 1, CH = H - 1, BAR = 60 };
    int cost[CW * CH], bridge[LINKS];
    for (int l = 0; l < LINKS; l++)
        bridge[l] = near_base[l] || t->x_at[l] >= 0 || t->state[l] == LIT ? BAR : t->state[l] == MISSING ? 1 : 7;
    for (int x = 0; x < CW; x++)
        for (int y = 0; y < CH; y++) cost[y * CW + x] = y == CH - 1 ? bridge[h_link(x, H - 1)] : 1000;
    for (int changed = 1; changed;) {
        changed = 0;
        for (int c = CW * CH - 1; c >= 0; c--) {
            int x = c % CW, y = c / CW, best = cost[c], s;
            if (x > 0 && (s = cost[c - 1] + bridge[v_link(x, y)]) < best) best = s;
            if (x < CW - 1 && (s = cost[c + 1] + bridge[v_link(x + 1, y)]) < best) best = s;
            if (y > 0 && (s = cost[c - CW] + bridge[h_link(x, y)]) < best) best = s;
            if (y < CH - 1 && (s = cost[c + CW] + bridge[h_link(x, y + 1)]) < best) best = s;
            if (best < cost[c]) cost[c] = best, changed = 1;
        }
    }
    int best = 1000;
    for (int x = 0; x < CW; x++)
        if (cost[x] + bridge[h_link(x, 0)] < best) best = cost[x] + bridge[h_link(x, 0)];
    return best;
}

static void looks(const Town *t, int *n) {
    double bends = 0, pairs = 0, dead = 0;
    uint8_t bend[JUNCTIONS];
    for (int j = 0; j < JUNCTIONS; j++) {
        int x = j % W, y = j / W;
        int e = x < W - 1 && t->state[h_link(x, y)] != MISSING, w = x > 0 && t->state[h_link(x - 1, y)] != MISSING;
        int no = y < H - 1 && t->state[v_link(x, y)] != MISSING, s = y > 0 && t->state[v_link(x, y - 1)] != MISSING;
        int degree = e + w + no + s;
        if (degree < 2) dead += 2 - degree;
        bend[j] = degree == 2 && e + w == 1;
        int corner = (x == 0 || x == W - 1) && (y == 0 || y == H - 1);
        if (bend[j] && !corner) bends++;
    }
    for (int l = 0; l < LINKS; l++)
        if (t->state[l] != MISSING && bend[link_a[l]] && bend[link_b[l]]) pairs++;
    note(n, "dead ends", 2.0 * dead);
    note(n, "bends", 0.12 * above(bends, 9) + 0.4 * above(pairs, 0));
    /* voids: blocks that run together where links between them are missing; the outside is no block */
    int cell[(W - 1) * (H - 1)], size[(W - 1) * (H - 1)];
    double voids = 0, perimeter_gaps = 0;
    for (int c = 0; c < (W - 1) * (H - 1); c++) cell[c] = c, size[c] = 1;
    for (int l = 0; l < LINKS; l++) {
        if (t->state[l] != MISSING) continue;
        int x = link_a[l] % W, y = link_a[l] / W, a, b;
        if (l < HLINKS) {
            if (y == 0 || y == H - 1) { perimeter_gaps++; continue; }
            a = (y - 1) * (W - 1) + x, b = y * (W - 1) + x;
        } else {
            if (x == 0 || x == W - 1) { perimeter_gaps++; continue; }
            a = y * (W - 1) + x - 1, b = y * (W - 1) + x;
        }
        while (cell[a] != a) a = cell[a];
        while (cell[b] != b) b = cell[b];
        if (a != b) cell[b] = a, size[a] += size[b], size[b] = 0;
    }
    for (int c = 0; c < (W - 1) * (H - 1); c++) voids += above(size[c], 4);
    note(n, "voids", 0.25 * voids + 0.2 * above(perimeter_gaps, 3));
    double crowd = 0;
    for (int i = 0; i < XS; i++) {
        double x = link_x[t->x_link[i]], y = link_y[t->x_link[i]];
        double base_gap = hypot(x - BX, y - BY);
        crowd += 3 * above(2.0, base_gap);
        for (int k = 0; k < i; k++) {
            double gap = hypot(x - link_x[t->x_link[k]], y - link_y[t->x_link[k]]);
            if (gap < 2.1) crowd += gap < 1.4 ? 2 + 1.4 - gap : 0.25 * (2.1 - gap) + 0.1;
        }
    }
    note(n, "X's crowded", crowd);
    double near_lights = 0; /* dots that crowd one another or an X */
    for (int l = 0; l < LINKS; l++) {
        if (t->state[l] != LIT) continue;
        for (int i = 0; i < near_count[l]; i++) {
            int k = near_links[l][i];
            if (fabs(link_x[k] - link_x[l]) + fabs(link_y[k] - link_y[l]) > 1.01) continue;
            near_lights += t->state[k] == LIT ? 0.5 : t->x_at[k] >= 0 ? 0.5 : 0;
        }
    }
    note(n, "dots crowded", 0.15 * above(near_lights, 7));
    note(n, "river", 0.05 * above(river(t), 38));
    double quarters = 0; /* every quarter of the town has its share of X's */
    int in_quarter[12] = {0};
    for (int i = 0; i < XS; i++) {
        int qx = (int)(link_x[t->x_link[i]] / (14.01 / 4)), qy = (int)(link_y[t->x_link[i]] / (10.01 / 3));
        in_quarter[qy * 4 + qx]++;
    }
    for (int q = 0; q < 12; q++) quarters += outside(in_quarter[q], 2, 3);
    note(n, "quarters", 0.3 * quarters);
}

static double energy(const Town *t, double *stats) {
    static Runs plain, green;
    static uint8_t hop[SITES + RAMPS][RUNS], green_hop[SITES][RUNS];
    int n = 0, missing = 0, lights = 0, lit_major = 0, light_of[LINKS], light_runs[LINKS][2];
    for (int l = 0; l < LINKS; l++) {
        if (t->state[l] == MISSING) missing++;
        if (t->state[l] == LIT) light_of[lights++] = l, lit_major += is_major[l];
    }
    find_runs(t, 0, &plain);
    find_runs(t, 1, &green);
    for (int i = 0; i < lights; i++) {
        int l = light_of[i];
        light_runs[i][0] = l < HLINKS ? plain.h[link_a[l]] : plain.v[link_a[l]];
        light_runs[i][1] = l < HLINKS ? plain.h[link_b[l]] : plain.v[link_b[l]];
    }
    int run_a[SITES], run_b[SITES], green_a[SITES], green_b[SITES], base = junction(BX, BY);
    for (int i = 0; i < XS; i++) {
        run_a[i] = run_b[i] = run_of_link(&plain, t->x_link[i]);
        green_a[i] = green_b[i] = run_of_link(&green, t->x_link[i]);
    }
    run_a[XS] = plain.h[base], run_b[XS] = plain.v[base], green_a[XS] = green.h[base], green_b[XS] = green.v[base];
    for (int i = 0; i < SITES; i++) {
        hops_from(&plain, run_a[i], run_b[i], hop[i]);
        hops_from(&green, green_a[i], green_b[i], green_hop[i]);
    }
    int ramp_run[RAMPS];
    for (int i = 0; i < RAMPS; i++) {
        ramp_run[i] = run_of_ramp(&plain, t->ramp[i]);
        hops_from(&plain, ramp_run[i], ramp_run[i], hop[SITES + i]);
    }

    double cut = 0; /* BD-03 */
    for (int j = 0; j < JUNCTIONS; j++) cut += hop[XS][plain.h[j]] >= FAR && hop[XS][plain.v[j]] >= FAR;
    note(&n, "junctions cut off", 1.5 * cut);
    note(&n, "missing", 0.3 * outside(missing, 72, 82));
    note(&n, "lights", 0.5 * outside(lights, 38, 42) + 20 * outside((double)lit_major / (lights ? lights : 1), 0.62, 0.78));

    /* distances with a light */
    int useful[LINKS] = {0}, m[SITES][SITES], d1[SITES][SITES], m_sum = 0, g_sum = 0, m_max = 0, small = 0, saved = 0;
    for (int a = 0; a < SITES; a++)
        for (int b = 0; b < a; b++) {
            int plain_hops = hop[a][run_a[b]] < hop[a][run_b[b]] ? hop[a][run_a[b]] : hop[a][run_b[b]], best = plain_hops;
            int g = green_hop[a][green_a[b]] < green_hop[a][green_b[b]] ? green_hop[a][green_a[b]] : green_hop[a][green_b[b]];
            for (int i = 0; i < lights; i++) {
                int p = hop[a][light_runs[i][0]] + hop[b][light_runs[i][1]];
                int q = hop[a][light_runs[i][1]] + hop[b][light_runs[i][0]];
                int s = p < q ? p : q;
                if (s < plain_hops) useful[i] = 1;
                if (s < best) best = s;
            }
            m[a][b] = m[b][a] = plain_hops + 1, d1[a][b] = d1[b][a] = best + 1;
            m_sum += plain_hops + 1, g_sum += g + 1;
            if (plain_hops + 1 > m_max) m_max = plain_hops + 1;
            small += plain_hops + 1 < 3;
            saved += best < plain_hops;
        }
    double pairs = SITES * (SITES - 1) / 2, mean = m_sum / pairs, green_mean = g_sum / pairs;
    int useless = 0;
    for (int i = 0; i < lights; i++) useless += !useful[i];
    note(&n, "BD-10 green saves", 15 * above(0.65, saved / pairs));
    note(&n, "BD-10 useless lights", 0.5 * useless);
    note(&n, "BD-12 mean", 2 * outside(mean, 7.6, 8.7));
    note(&n, "BD-12 small", 60 * above(small / pairs, 0.035));
    note(&n, "BD-12 maximum", 0.5 * above(m_max, 17));
    note(&n, "BD-12 green mean", 3 * outside(green_mean, 4.3, 5.6));

    /* the freeway */
    int in0[SITES][GATES], in1[SITES][GATES], out0[SITES], out1[SITES], only[GATES] = {0}, beyond = 0;
    for (int a = 0; a < SITES; a++) {
        out0[a] = out1[a] = FAR;
        for (int k = 0; k < RAMPS; k++) {
            const uint8_t *ramp_hop = hop[SITES + k];
            int plain_hops = hop[a][ramp_run[k]], best = plain_hops;
            for (int i = 0; i < lights; i++) {
                int p = hop[a][light_runs[i][0]] + ramp_hop[light_runs[i][1]];
                int q = hop[a][light_runs[i][1]] + ramp_hop[light_runs[i][0]];
                if (p < best) best = p;
                if (q < best) best = q;
            }
            if (k < GATES)
                in0[a][k] = plain_hops, in1[a][k] = best;
            else {
                if (plain_hops < out0[a]) out0[a] = plain_hops;
                if (best < out1[a]) out1[a] = best;
            }
        }
    }
    for (int a = 0; a < SITES; a++)
        for (int b = 0; b < SITES; b++) {
            if (a == b) continue;
            int first = FAR * 3, second = FAR * 3, which = -1;
            for (int k = 0; k < GATES; k++) {
                int p = in0[a][k] + out1[b], q = in1[a][k] + out0[b], s = 1 + (p < q ? p : q);
                if (s < first) second = first, first = s, which = k;
                else if (s < second) second = s;
            }
            if (first < second && first < d1[a][b]) only[which]++;
            beyond += d1[a][b] - first >= 2;
        }
    double few = 0;
    for (int k = 0; k < GATES; k++) few += above(6, only[k]);
    note(&n, "BD-11 white beyond green", 25 * above(0.24, beyond / (2 * pairs)));
    note(&n, "BD-11 gates", 0.25 * few);

    /* BD-13 and what the guides need: both halves of the destinations about equally far from the base, two odd ones out */
    int base_m[XS];
    double base_out = 0;
    for (int i = 0; i < XS; i++) base_m[i] = m[i][XS], base_out += outside(base_m[i], 3, 11);
    for (int i = 1; i < XS; i++)
        for (int k = i; k > 0 && base_m[k - 1] > base_m[k]; k--) { int s = base_m[k]; base_m[k] = base_m[k - 1]; base_m[k - 1] = s; }
    double windows = above(12, window_count(base_m, 14, 2)) + above(12, window_count(base_m + 14, 14, 2));
    windows += 0.5 * above(24, window_count(base_m, 28, 5));
    note(&n, "BD-13 base distance", base_out);
    note(&n, "guides: windows", 0.5 * windows);

    find_bridges(t);
    note(&n, "BD-15 bridges", 0.15 * above(bridges, 14) + bridges_with_x + 0.7 * bridges_parting);

    double ramps = 0; /* spread, on all sides, never at a corner (by the moves), no two at neighbouring junctions */
    int gates_on[4] = {0}, exits_on[4] = {0};
    for (int i = 0; i < RAMPS; i++) {
        (i < GATES ? gates_on : exits_on)[ramp_side(t->ramp[i])]++;
        for (int k = 0; k < i; k++) {
            int apart = abs(t->ramp[i] % W - t->ramp[k] % W) + abs(t->ramp[i] / W - t->ramp[k] / W);
            if (apart == 0) ramps += 4;
            else if (ramp_side(t->ramp[i]) == ramp_side(t->ramp[k])) {
                if (apart == 1) ramps += 1;
                if ((i < GATES) == (k < GATES) && apart < 4) ramps += 0.3;
            }
        }
    }
    for (int s = 0; s < 4; s++) ramps += above(1, gates_on[s]) + above(1, exits_on[s]) + above(gates_on[s], 2) + above(exits_on[s], 2);
    note(&n, "ramps", ramps);

    looks(t, &n);
    double total = 0;
    for (int i = 0; i < n; i++) total += shortfall[i];
    shortfall_name[n] = NULL;
    if (stats) {
        stats[0] = missing, stats[1] = lights, stats[2] = saved / pairs, stats[3] = beyond / (2 * pairs), stats[4] = mean;
        stats[5] = m_max, stats[6] = green_mean, stats[7] = bridges, stats[8] = small / pairs;
    }
    return total;
}

/* ---- moves ---- */
static int may_hold_x(const Town *t, int l) { return t->state[l] == OPEN && t->x_at[l] < 0 && !near_base[l]; }

static int may_be(int l, int state) {
    if (state == MISSING) return !is_major[l];
    return state == OPEN || !near_base[l];
}

static void place_x(Town *t, int x, int l) { t->x_link[x] = l, t->x_at[l] = (int8_t)x; }

static int propose(Town *t) { /* 0 if the move drawn is not possible */
    double r = unit();
    if (r < 0.5) { /* two links change their states, an X goes with its link's */
        int a = below(LINKS), b = unit() < 0.5 ? near_links[a][below(near_count[a])] : below(LINKS);
        int s = t->state[a], xa = t->x_at[a], xb = t->x_at[b];
        if (a == b || (s == t->state[b] && xa < 0 && xb < 0) || !may_be(a, t->state[b]) || !may_be(b, s)) return 0;
        if ((xa >= 0 && near_base[b]) || (xb >= 0 && near_base[a])) return 0;
        t->state[a] = t->state[b], t->state[b] = (uint8_t)s;
        t->x_at[a] = t->x_at[b] = -1;
        if (xa >= 0) place_x(t, xa, b);
        if (xb >= 0) place_x(t, xb, a);
        return 1;
    }
    if (r < 0.75) { /* one link */
        int l = below(LINKS), s = below(3);
        if (t->x_at[l] >= 0 || s == t->state[l] || !may_be(l, s)) return 0;
        t->state[l] = (uint8_t)s;
        return 1;
    }
    if (r < 0.93) { /* an X moves */
        int x = below(XS), from = t->x_link[x], l = unit() < 0.6 ? near_links[from][below(near_count[from])] : below(LINKS);
        if (!may_hold_x(t, l)) return 0;
        t->x_at[from] = -1;
        place_x(t, x, l);
        return 1;
    }
    int i = below(RAMPS), p = below(PERIMETER); /* a gate or exit moves */
    int j = perimeter[p], x = j % W, y = j / W;
    if ((x == 0 || x == W - 1) && (y == 0 || y == H - 1)) return 0;
    t->ramp[i] = j;
    return 1;
}

static void start(Town *t) {
    memset(t, 0, sizeof *t);
    memset(t->x_at, -1, sizeof t->x_at);
    memset(t->state, OPEN, sizeof t->state);
    for (int missing = 0; missing < 78;) {
        int l = below(LINKS);
        if (t->state[l] == OPEN && may_be(l, MISSING)) t->state[l] = MISSING, missing++;
    }
    for (int lit = 0; lit < 40;) {
        int l = below(LINKS);
        if (t->state[l] == OPEN && may_be(l, LIT) && is_major[l] == (lit < 28)) t->state[l] = LIT, lit++;
    }
    for (int x = 0; x < XS;) {
        int l = below(LINKS);
        if (may_hold_x(t, l)) place_x(t, x++, l);
    }
    for (int i = 0; i < RAMPS; i++) {
        int j, x, y;
        do j = perimeter[below(PERIMETER)], x = j % W, y = j / W;
        while ((x == 0 || x == W - 1) && (y == 0 || y == H - 1));
        t->ramp[i] = j;
    }
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: streets_anneal SEED PROPOSALS\n"), 2;
    random_state = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15ULL + 88172645463325252ULL;
    long proposals = strtol(argv[2], NULL, 10);
    for (int i = 0; i < 20; i++) next_random();
    lay_out();
    Town now, then, best;
    start(&now);
    double e = energy(&now, NULL), best_e = e;
    best = now;
    for (long i = 0; i < proposals && best_e > 1e-9; i++) {
        double temperature = 1.5 * pow(0.02 / 1.5, (double)i / (double)proposals);
        then = now;
        if (!propose(&then)) continue;
        double f = energy(&then, NULL);
        if (f <= e || unit() < exp((e - f) / temperature)) {
            now = then, e = f;
            if (e < best_e) best = now, best_e = e;
        }
    }
    double stats[9];
    best_e = energy(&best, stats);
    fprintf(stderr, "energy %.3f  missing %.0f lights %.0f BD-10 %.3f BD-11 %.3f mean %.2f max %.0f green %.2f bridges %.0f small %.3f\n",
            best_e, stats[0], stats[1], stats[2], stats[3], stats[4], stats[5], stats[6], stats[7], stats[8]);
    for (int i = 0; shortfall_name[i]; i++)
        if (shortfall[i] > 1e-9) fprintf(stderr, "  short: %s %.3f\n", shortfall_name[i], shortfall[i]);
    printf("energy %.6f\nlinks ", best_e);
    for (int l = 0; l < LINKS; l++) putchar("-o*"[best.state[l]]);
    printf("\nxs");
    for (int i = 0; i < XS; i++) printf(" %d", best.x_link[i]);
    printf("\ngates");
    for (int i = 0; i < GATES; i++) printf(" %d", best.ramp[i]);
    printf("\nexits");
    for (int i = GATES; i < RAMPS; i++) printf(" %d", best.ramp[i]);
    printf("\n");
    return 0;
}
