# What an ssh agent does on its board: POSIX shell, started as `sh -c TEXT bm-remote VERB FOLDER ...`. Its first
# line of input is a word that no program over there knows; lines that begin with it are marks for the other side.
LC_ALL=C
export LC_ALL
umask 077
verb=$1 folder=$2 sys=$3
shift 3
read -r nonce || exit 1
job= main=$$ locked=

say() { printf '\001%s %s\n' "$nonce" "$*"; }
fail() {
	say "fail $*"
	[ "$locked" ] && restore
	release
	exit 0
}

# --- what the board says of itself ---
dump() {
	for file; do
		[ -f "$file" ] && [ -r "$file" ] || continue
		say "file $file"
		dd if="$file" bs=4096 count=64 2>/dev/null
	done
	say 'file'
}
# The first line of each, without starting a process: this is done beside the program, too.
lines() {
	for file; do
		text=
		{ read -r text <"$file"; } 2>/dev/null
		[ -z "$text" ] || say "line $file = $text"
	done
}
heat() {
	lines "$sys"/class/thermal/thermal_zone[0-9]*/temp \
		"$sys"/class/thermal/cooling_device[0-9]*/type "$sys"/class/thermal/cooling_device[0-9]*/cur_state \
		"$sys"/devices/system/cpu/cpu[0-9]*/thermal_throttle/*_throttle_count \
		"$sys"/devices/platform/soc/soc:firmware/get_throttled
}
condition() {
	say "$1"
	lines /proc/uptime /proc/loadavg /proc/stat "$sys"/devices/system/cpu/online \
		"$sys"/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_cur_freq
	heat
	[ "$1" != meanwhile ] || return 0
	firmware
}
# A Raspberry Pi whose kernel has no such file.
firmware() {
	command -v vcgencmd >/dev/null && text=$(vcgencmd get_throttled 2>/dev/null) || return 0
	say "line $sys/devices/platform/soc/soc:firmware/get_throttled = ${text#throttled=}"
}
facts() {
	say "word machine $(uname -m)"
	say "word release $(uname -r)"
	say "word node $(uname -n)"
	say "word cores $(getconf _NPROCESSORS_ONLN 2>/dev/null || grep -c '^processor' /proc/cpuinfo)"
	say "word tick $(getconf CLK_TCK 2>/dev/null)"
	say "word page $(getconf PAGESIZE 2>/dev/null)"
	dump /proc/cpuinfo /proc/device-tree/model /proc/device-tree/hypervisor/compatible /proc/meminfo \
		/etc/os-release
	lines /proc/loadavg "$sys"/devices/system/cpu/online \
		"$sys"/devices/system/cpu/cpu0/cpufreq/scaling_governor \
		"$sys"/devices/system/cpu/cpu0/cpufreq/scaling_max_freq \
		"$sys"/devices/system/cpu/cpu[0-9]*/cpufreq/cpuinfo_max_freq \
		"$sys"/devices/system/cpu/intel_pstate/no_turbo "$sys"/devices/system/cpu/cpufreq/boost \
		"$sys"/hypervisor/type "$sys"/class/dmi/id/product_name
	heat
	firmware
}

# --- the lock: a folder, which one alone can make; it holds "BOOT PID OWNER" ---
boot=$(cat /proc/sys/kernel/random/boot_id 2>/dev/null || echo -)
lock=$folder/lock-$(uname -n)
stale() {
	text='somebody'
	read -r their_boot their_pid text 2>/dev/null <"$lock/owner" || return 1
	[ "$their_boot" = "$boot" ] && grep -q bm-remote "/proc/$their_pid/cmdline" 2>/dev/null && return 1
	return 0
}
# One alone takes a lock over, so that nobody takes away the one that another has just made.
take_over() {
	mkdir "$lock.take" 2>/dev/null || return 1
	stale && mv "$lock" "$lock.old.$main" 2>/dev/null && rm -rf "$lock.old.$main"
	rmdir "$lock.take"
}
acquire() {
	waits=0
	until mkdir "$lock" 2>/dev/null; do
		[ -d "$lock" ] || fail "$folder: cannot be written to"
		if stale && take_over; then continue; fi
		[ "$waits" -lt "$1" ] || fail "it is in use by $text, who did not end within $1 s"
		say "wait $text"
		sleep 2
		waits=$((waits + 2))
		# Whoever was killed within its first moments, or while it took a lock over, has left no name.
		[ "$waits" -eq 60 ] && rmdir "$lock" "$lock.take" 2>/dev/null
	done
	locked=1
	echo "$boot $main $2" >"$lock/owner" || fail "$folder: cannot be written to"
}
release() {
	[ "$locked" ] || return
	locked=
	mv "$lock" "$lock.old.$main" && rm -rf "$lock.old.$main"
}

# --- settings: what was there before is on disk before anything is changed ---
journal=$folder/settings-$(uname -n)
restore() {
	[ -f "$journal" ] || return 0
	{
		read -r their_boot
		while [ "$their_boot" = "$boot" ] && read -r old path; do echo "$old" >"$path"; done
	} <"$journal" 2>/dev/null
	rm -f "$journal"
}
change() {
	what=$1 new=$2 found=
	shift 2
	for path; do
		[ -f "$path" ] || continue
		found=1
		[ -w "$path" ] || fail "$what: $path may not be written by $(id -un)"
		echo "$(cat "$path") $path" >>"$journal" || fail "$journal: cannot be written"
	done
	[ "$found" ] || fail "$what: this machine has no switch for it"
	for path; do
		[ ! -f "$path" ] || { echo "$new" >"$path"; } 2>/dev/null && continue
		restore
		fail "$what: $path does not take $new"
	done
}
settle() {
	restore
	[ "$1$2" ] || return 0
	echo "$boot" >"$journal" || fail "$journal: cannot be written"
	[ -z "$1" ] || change governor "$1" "$sys"/devices/system/cpu/cpu[0-9]*/cpufreq/scaling_governor
	case $2 in
	'') return 0 ;;
	on) boost=1 no_turbo=0 ;;
	*) boost=0 no_turbo=1 ;;
	esac
	if [ -f "$sys/devices/system/cpu/intel_pstate/no_turbo" ]; then
		change turbo "$no_turbo" "$sys/devices/system/cpu/intel_pstate/no_turbo"
	else
		change turbo "$boost" "$sys/devices/system/cpu/cpufreq/boost"
	fi
}

# --- processes ---
# Everything that the program has started carries the job's name in its environment.
sweep() {
	[ "$pid" ] && kill -9 "-$pid" "$pid" 2>/dev/null
	# Twice, since one that is just about to become another program shows no environment. What grep(1) says at its
	# end means nothing here: processes come and go under it, and those of others cannot be read.
	clean=0
	for turn in 1 2 3 4 5 6 7 8; do
		found=$(BM_JOB='' grep -ls "BM_JOB=$job" /proc/[0-9]*/environ)
		clean=$((clean + 1))
		[ -z "$found" ] || clean=0
		[ "$clean" -lt 2 ] || return 0
		for process in $found; do
			process=${process#/proc/}
			kill -9 "${process%/environ}" 2>/dev/null
		done
	done
}
# Ends the program when the other side goes away; the rest is done where it is waited for. Each beat is a moment to
# look at the board, into a file, so that the program's output stays its own; after ten minutes, every sixth.
listen() {
	beats=0 nonce=
	while read -r beat; do
		: >"$folder/beat-$job"
		beats=$((beats + 1))
		[ "$beats" -gt 60 ] && [ $((beats % 6)) -ne 0 ] || condition meanwhile >>"$folder/meanwhile-$job"
	done
	sweep
}
# The program could have written there as well, so that nothing but readings is taken from it.
tell_meanwhile() {
	[ -f "$folder/meanwhile-$job" ] || return 0
	count=0
	while [ "$count" -lt 50000 ] && read -r mark line; do
		count=$((count + 1))
		case $line in meanwhile | 'line '*) say "$line" ;; esac
	done <"$folder/meanwhile-$job"
	rm -f "$folder/meanwhile-$job"
}
# The same where it falls silent; everything where the one who waits was killed.
guard() {
	quiet=0
	while :; do
		sleep "$1"
		if ! kill -0 "$main" 2>/dev/null; then
			sweep
			restore
			release
			rm -f "$folder/beat-$job" "$folder/meanwhile-$job"
			exit
		fi
		quiet=$((quiet + $1))
		rm "$folder/beat-$job" 2>/dev/null && quiet=0
		[ "$quiet" -lt "$2" ] || sweep
	done
}

# --- programs, by their hash ---
fits() { # FILE SIZE CRC
	[ "$(wc -c <"$1" 2>/dev/null)" -eq "$2" ] 2>/dev/null || return 1
	if sum=$(sha256sum "$1" 2>/dev/null); then
		[ "${sum%% *}" = "$hash" ]
	elif sum=$(cksum <"$1" 2>/dev/null); then
		[ "${sum%% *}" = "$3" ]
	fi
}
make_folder() {
	mkdir -p "$folder/programs" 2>/dev/null && [ -w "$folder/programs" ] ||
		fail "$folder: cannot be made, or not written to"
}

case $verb in
facts)
	facts
	[ -d "$lock" ] || restore
	;;
put) # HASH SIZE CRC KEEP gzip|cat
	hash=$1 new=$folder/programs/new-$1-$$
	make_folder
	trap 'rm -f "$new"' EXIT
	[ "$5" = gzip ] && unpack='gzip -dc' || unpack=cat
	why=$({ $unpack >"$new"; } 2>&1) || fail "$folder: the program cannot be written: ${why##*"
"}"
	fits "$new" "$2" "$3" || fail 'the program came damaged'
	chmod 700 "$new" && mv "$new" "$folder/programs/$hash" || fail 'the program cannot be written'
	ls -t "$folder/programs" | sed "1,$4d" | while read -r old; do rm -f "$folder/programs/$old"; done
	say 'done'
	;;
gone) # JOB PID: ends a job whose time is over
	job=$1 pid=
	sweep
	waits=0
	while [ "$waits" -lt 20 ] && grep -q bm-remote "/proc/$2/cmdline" 2>/dev/null; do
		sleep 1
		waits=$((waits + 1))
		sweep
	done
	# Who waited for the program was killed as well.
	if [ -d "$lock" ] && stale; then
		restore
		take_over
	fi
	rm -f "$folder/beat-$job" "$folder/meanwhile-$job"
	say 'done'
	;;
run) # HASH SIZE CRC CHECK JOB PIN BEAT DEAD WAIT OWNER GOVERNOR TURBO ARGUMENT...
	hash=$1 size=$2 crc=$3 check=$4 job=$5 pin=$6 beat=$7 dead=$8 wait=$9 pid=
	shift 9
	owner=$1 governor=$2 turbo=$3
	shift 3
	make_folder
	program=$folder/programs/$hash
	if [ ! -f "$program" ] || { [ "$check" = 1 ] && ! fits "$program" "$size" "$crc"; }; then
		if command -v gzip >/dev/null; then say 'need gzip'; else say 'need'; fi
		exit 0
	fi
	[ -x "$program" ] || fail "$folder: no program can be executed there (is it mounted noexec?): name another folder in agents.json"
	touch "$program" 2>/dev/null
	acquire "$wait" "$owner"
	trap 'sweep' HUP INT TERM
	settle "$governor" "$turbo"
	set -- "$program" "$@"
	[ -z "$pin" ] || set -- taskset "$pin" "$@"
	set -- env -i LC_ALL=C "BM_JOB=$job" "$@"
	command -v setsid >/dev/null && set -- setsid "$@"
	condition before
	exec 3<&0
	say "begin $main"
	"$@" </dev/null 3<&- &
	pid=$!
	trap '' PIPE
	BM_JOB=$job
	export BM_JOB
	listen <&3 >/dev/null 2>&1 &
	listener=$!
	guard "$beat" "$dead" </dev/null >/dev/null 2>&1 3<&- &
	guard=$!
	exec 3<&-
	while
		wait "$pid"
		status=$?
		kill -0 "$pid" 2>/dev/null
	do :; done
	times >"$folder/beat-$job"
	kill -9 "$guard" "$listener"
	wait 2>/dev/null
	{ read -r own && read -r times; } <"$folder/beat-$job"
	rm -f "$folder/beat-$job"
	tell_meanwhile
	condition after
	sweep
	restore
	release
	say "times $times"
	if [ "$status" -gt 128 ] && name=$(kill -l "$status" 2>/dev/null); then
		say "end signal $((status - 128)) $name"
	else
		say "end exit $status"
	fi
	;;
esac
