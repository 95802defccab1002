/* Finds six destination guides for a TAXI! board by simulated annealing; compiled and run by design.py.
 *
 * usage: guides_anneal SEED PROPOSALS < DISTANCES
 *
 * DISTANCES: 29 lines of 29 numbers, least streets without tablets between the destinations (the last is the base), then
 * 29 lines with unlimited green tablets. Prints the two cycles of 14 destinations and the figures.
 *
 * Each half of the guides is a cycle of 14 destinations (rules/S-151): guides 1 to 3 run forwards from places 0, 4, 8,
 * guides 4 to 6 backwards from places 1, 5, 9; so no two guides meet. The energy is what GD-05 to GD-09 fall short by.
 */
#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SITES = 29, BASE = 28, HALF = 14, GUIDES = 6, TRIPS = 30, TURNS = 24, LONGEST = 40 };

static uint64_t random_state;
static int m[SITES][SITES], g[SITES][SITES];
static double arrive[LONGEST][TURNS + 1], later[LONGEST][TURNS + 1]; /* P(T = t), P(T > t) at a distance, by dice alone */
static const int START[GUIDES] = {0, 4, 8, 1, 5, 9};

static uint64_t next_random(void) {
    random_state ^= random_state >> 12;
    random_state ^= random_state << 25;
    random_state ^= random_state >> 27;
    return random_state * 2685821657736338717ULL;
}
static int below(int n) { return (int)((next_random() >> 33) % (uint64_t)n); }
static double unit(void) { return (double)(next_random() >> 11) / 9007199254740992.0; }
static double above(double value, double limit) { return value > limit ? value - limit : 0; }

static void throw_tables(void) { /* S-147 */
    static double left[LONGEST]; /* the chance to have so many streets left after t throws */
    for (int d = 1; d < LONGEST; d++) {
        memset(left, 0, sizeof left);
        left[d] = 1;
        double still = 1;
        later[d][0] = 1;
        for (int t = 1; t <= TURNS; t++) {
            double next[LONGEST] = {0}, done = 0;
            for (int k = 1; k <= d; k++)
                for (int face = 1; face <= 6; face++) {
                    if (face >= k) done += left[k] / 6;
                    else next[k - face] += left[k] / 6;
                }
            arrive[d][t] = done;
            still -= done;
            later[d][t] = still > 0 ? still : 0;
            memcpy(left, next, sizeof left);
        }
    }
}

/* shares of one bonus among guides in `set`, at the distances given (GD-08) */
static void add_shares(const int *distance, int set, double *value) {
    int member[GUIDES], n = 0;
    for (int p = 0; p < GUIDES; p++)
        if (set >> p & 1) member[n++] = p;
    for (int t = 1; t <= TURNS; t++) {
        double chance_left = 1;
        for (int i = 0; i < n; i++) chance_left *= later[distance[member[i]]][t - 1];
        if (chance_left < 1e-9) break;
        for (int i = 0; i < n; i++) {
            double mine = arrive[distance[member[i]]][t];
            if (mine == 0) continue;
            double count[GUIDES] = {1}; /* the chance that so many of the others arrive in this round too */
            int others = 0;
            for (int k = 0; k < n; k++) {
                if (k == i) continue;
                double p = arrive[distance[member[k]]][t], q = later[distance[member[k]]][t];
                for (int c = ++others; c >= 0; c--) count[c] = (c < others ? count[c] * q : 0) + (c ? count[c - 1] * p : 0);
            }
            double share = 0;
            for (int c = 0; c <= others; c++) share += count[c] / (1 + c);
            value[member[i]] += 6000 * mine * share;
        }
    }
}

typedef struct {
    int cycle[2][HALF];
} Guides;

static void legs(const Guides *x, int d[TRIPS][GUIDES], int dg[TRIPS][GUIDES]) {
    for (int half = 0; half < 2; half++)
        for (int p = 0; p < GUIDES; p++) {
            int at = BASE;
            for (int k = 0; k <= HALF; k++) {
                int i = p < 3 ? START[p] + k : START[p] - k, to = k == HALF ? BASE : x->cycle[half][((i % HALF) + HALF) % HALF];
                d[half * 15 + k][p] = m[at][to], dg[half * 15 + k][p] = g[at][to];
                at = to;
            }
        }
}

static double spread_of(const double *value, int set) {
    double low = 1e18, high = 0, sum = 0;
    int n = 0;
    for (int p = 0; p < GUIDES; p++)
        if (set >> p & 1) {
            if (value[p] < low) low = value[p];
            if (value[p] > high) high = value[p];
            sum += value[p], n++;
        }
    return (high - low) / (sum / n);
}

typedef struct {
    int shortest, inner, outer, places, total_m[2], total_g[2];
    double v15, v30, s15, s30;
} Figures;

static double energy(const Guides *x, int subsets, Figures *f) {
    int d[TRIPS][GUIDES], dg[TRIPS][GUIDES];
    legs(x, d, dg);
    double e = 0;
    memset(f, 0, sizeof *f);
    f->shortest = 99;
    for (int half = 0; half < 2; half++) {
        int low_m = 999, high_m = 0, low_g = 999, high_g = 0;
        for (int p = 0; p < GUIDES; p++) {
            int sm = 0, sg = 0;
            for (int k = 0; k < 15; k++) sm += d[half * 15 + k][p], sg += dg[half * 15 + k][p];
            if (sm < low_m) low_m = sm;
            if (sm > high_m) high_m = sm;
            if (sg < low_g) low_g = sg;
            if (sg > high_g) high_g = sg;
        }
        f->total_m[half] = high_m - low_m, f->total_g[half] = high_g - low_g;
        e += 0.5 * above(high_m - low_m, 3) + 0.5 * above(high_g - low_g, 5);
        int first_low = 99, first_high = 0;
        for (int k = 0; k < 15; k++) {
            int low = 99, high = 0;
            for (int p = 0; p < GUIDES; p++) {
                int leg = d[half * 15 + k][p];
                if (leg < low) low = leg;
                if (leg > high) high = leg;
                e += above(3, leg);
            }
            if (low < f->shortest) f->shortest = low;
            int end = k == 0 || k == 14;
            if (end) {
                if (low < first_low) first_low = low;
                if (high > first_high) first_high = high;
                if (high - low > f->outer) f->outer = high - low;
                e += above(high - low, 3);
            } else {
                if (high - low > f->inner) f->inner = high - low;
                e += above(high - low, 2);
            }
        }
        if (first_high - first_low > f->places) f->places = first_high - first_low;
        e += above(first_high - first_low, 3);
    }
    double v[GUIDES] = {0};
    for (int k = 0; k < TRIPS; k++) {
        add_shares(d[k], 63, v);
        if (k == 14) f->v15 = spread_of(v, 63);
    }
    f->v30 = spread_of(v, 63);
    e += 40 * above(f->v15, 0.018) + 40 * above(f->v30, 0.018);
    if (subsets || e < 0.6) {
        for (int set = 3; set < 64; set++) {
            if ((set & (set - 1)) == 0) continue;
            double w[GUIDES] = {0}, a, b;
            for (int k = 0; k < 15; k++) add_shares(d[k], set, w);
            a = spread_of(w, set);
            for (int k = 15; k < TRIPS; k++) add_shares(d[k], set, w);
            b = spread_of(w, set);
            if (a > f->s15) f->s15 = a;
            if (b > f->s30) f->s30 = b;
        }
        e += 20 * above(f->s15, 0.035) + 20 * above(f->s30, 0.035);
    } else
        e += 0.05; /* not looked at: never the best */
    return e;
}

int main(int argc, char **argv) {
    if (argc != 3) return fprintf(stderr, "usage: guides_anneal SEED PROPOSALS < DISTANCES\n"), 2;
    random_state = strtoull(argv[1], NULL, 10) * 0x9E3779B97F4A7C15ULL + 88172645463325252ULL;
    long proposals = strtol(argv[2], NULL, 10);
    for (int i = 0; i < 20; i++) next_random();
    for (int i = 0; i < SITES * SITES; i++)
        if (scanf("%d", &m[i / SITES][i % SITES]) != 1) return fprintf(stderr, "distances missing\n"), 2;
    for (int i = 0; i < SITES * SITES; i++)
        if (scanf("%d", &g[i / SITES][i % SITES]) != 1) return fprintf(stderr, "distances missing\n"), 2;
    throw_tables();
    /* the fourteen nearest to the base make one half */
    int order[BASE];
    for (int i = 0; i < BASE; i++) order[i] = i;
    for (int i = 1; i < BASE; i++)
        for (int k = i; k > 0 && m[order[k - 1]][BASE] > m[order[k]][BASE]; k--) { int s = order[k]; order[k] = order[k - 1]; order[k - 1] = s; }
    Guides now, then, best;
    for (int i = 0; i < BASE; i++) now.cycle[i / HALF][i % HALF] = order[i];
    Figures f, best_f;
    double e = energy(&now, 0, &f), best_e = 1e9;
    best = now, best_f = f;
    for (long i = 0; i < proposals && best_e > 1e-9; i++) {
        double temperature = 1.5 * pow(0.01, (double)i / (double)proposals);
        then = now;
        int half = below(2), a = below(HALF), b = below(HALF);
        double r = unit();
        if (r < 0.5) {
            int s = then.cycle[half][a];
            then.cycle[half][a] = then.cycle[half][b], then.cycle[half][b] = s;
        } else if (r < 0.8) {
            for (int n = ((b - a) % HALF + HALF) % HALF; n > 0; n -= 2, a = (a + 1) % HALF, b = (b + HALF - 1) % HALF) {
                int s = then.cycle[half][a];
                then.cycle[half][a] = then.cycle[half][b], then.cycle[half][b] = s;
            }
        } else if (r < 0.9) {
            int s = then.cycle[half][a]; /* one place moves along */
            for (; a != b; a = (a + 1) % HALF) then.cycle[half][a] = then.cycle[half][(a + 1) % HALF];
            then.cycle[half][b] = s;
        } else {
            int s = then.cycle[0][a];
            then.cycle[0][a] = then.cycle[1][b], then.cycle[1][b] = s;
        }
        double next = energy(&then, 0, &f);
        if (next <= e || unit() < exp((e - next) / temperature)) {
            now = then, e = next;
            if (e < best_e) best = now, best_e = e, best_f = f;
        }
    }
    best_e = energy(&best, 1, &best_f);
    for (int half = 0; half < 2; half++)
        for (int i = 0; i < HALF; i++) printf("%d%c", best.cycle[half][i], i < HALF - 1 ? ' ' : '\n');
    printf("energy %.4f shortest %d inner %d outer %d places %d totals %d %d green %d %d value %.4f %.4f subsets %.4f %.4f\n", best_e,
           best_f.shortest, best_f.inner, best_f.outer, best_f.places, best_f.total_m[0], best_f.total_m[1], best_f.total_g[0],
           best_f.total_g[1], best_f.v15, best_f.v30, best_f.s15, best_f.s30);
    return 0;
}
